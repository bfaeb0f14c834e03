/** True if a value is an array of strings. Unlike `every`, this visits holes, which JSON would turn into null. */
export const isTexts = (value: unknown): value is ReadonlyArray<string> => {
  if (!Array.isArray(value)) return false
  for (const text of value) if (typeof text !== "string") return false
  return true
}

/** True if a text is empty or only whitespace. */
export const isBlank = (text: string): boolean => text.trim() === ""

/** A translation with the whitespace around its text. */
export const withWhitespaceOf = (text: string, translation: string): string => {
  const trimmed = text.trim()
  const start = text.length - text.trimStart().length
  return trimmed.length === text.length
    ? translation
    : text.slice(0, start) + translation + text.slice(start + trimmed.length)
}
