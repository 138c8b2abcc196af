// Stands where the files of zig's compiler_rt expect their root, which would pull all of them in. No function here has to
// raise floating-point exceptions; doing so would need assembly.
pub const want_ppc_abi = false;
pub const want_float_exceptions = false;

pub inline fn symbol(comptime func: *const anyopaque, comptime name: []const u8) void {
    @export(func, .{ .name = name, .linkage = .weak, .visibility = .hidden });
}
