/**
 * The time under which a translation is stored of which another request is due, in milliseconds: before all others, and the later the more
 * requests have asked for it. A stored translation gives way to the next recording, and not to one that another stream has recorded since.
 */
export const askedAt = (asked: number): number => asked - 3
