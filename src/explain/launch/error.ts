// What is said of a part of a launch that cannot be read.

/** The sentence says what it must be. */
export class LaunchTextError extends Error {}
