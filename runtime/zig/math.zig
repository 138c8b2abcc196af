// The functions of math.h that approximate: the native libc's own, which this compiler's library has in Zig. Compiled from
// there, a result is the native one to the last bit. (The exact ones are C: runtime/libc/float.c.)
comptime {
    _ = @import("compiler_rt/sin.zig");
    _ = @import("compiler_rt/cos.zig");
    _ = @import("compiler_rt/tan.zig");
    _ = @import("compiler_rt/sincos.zig");
    _ = @import("compiler_rt/exp.zig");
    _ = @import("compiler_rt/exp2.zig");
    _ = @import("compiler_rt/log.zig");
    _ = @import("compiler_rt/log2.zig");
    _ = @import("compiler_rt/log10.zig");
    _ = @import("c/math.zig");
}
