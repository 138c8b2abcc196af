export function prepareLaunch(_: unknown): void {}
