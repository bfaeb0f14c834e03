const pattern = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * True if a name has control characters other than tabs and line breaks: U+0000, which no file system and no database takes,
 * or sequences that move a terminal.
 */
export const hasControls = (name: string): boolean => pattern.test(name)

/** Why such a name is of no file. */
export const controlReason = "its name holds a control character"
