/**
 * The time under which a translation is stored of which another request is due, in milliseconds: before all others, and the later the more
 * requests have asked for it. What is known of a text gives way to what is recorded next, and not to what somebody else has recorded since.
 */
export const askedAt = (asked: number): number => asked - 3
