// Stands where the files of zig's libc expect their root.
pub inline fn symbol(comptime func: *const anyopaque, comptime name: []const u8) void {
    @export(func, .{ .name = name, .linkage = .weak, .visibility = .hidden });
}
