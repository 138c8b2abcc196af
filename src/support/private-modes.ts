// Modes of what nobody else has to see or change: recorded tests may hold what a user would not publish, and what is in the
// caches and the state folder is executed.

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
