/** The names of columns for translations, by a pattern: `{column}_{lang}`. */

/** The name of the column for the translations of a column, with the code of the language as it is written there. */
export const nameOf = (pattern: string, column: string, lang: string): string =>
  pattern.replace(/\{(column|lang)\}/g, (_, name) => (name === "column" ? column : lang))

/** The placeholder that a pattern lacks for giving each column and language a name of its own. */
export const problemOf = (pattern: string, columns: ReadonlyArray<string>): string | undefined => {
  const lacks = (place: string) => `the pattern of columns lacks ${place}: "{column}_{lang}", say.`
  if (!pattern.includes("{lang}")) return lacks("{lang}")
  return columns.length > 1 && !pattern.includes("{column}") ? lacks("{column}") : undefined
}
