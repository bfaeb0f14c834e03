/** A piece of a text that is replaced; where it starts and ends at the same place, an insertion. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text, or a piece of it, with its edits. Insertions at one place stay in their order, in front of a replacement there. */
export const applyEdits = (
  text: string,
  edits: ReadonlyArray<Edit>,
  { end, start }: { readonly start: number; readonly end: number } = { start: 0, end: text.length }
): string => {
  let edited = ""
  let from = start
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // Edits within a piece that was removed already go with it.
    if (edit.end < from) continue
    edited += text.slice(from, Math.max(from, edit.start)) + edit.text
    from = Math.max(from, edit.end)
  }
  return edited + text.slice(from, end)
}

/** The line end of a text's first line. */
export const newlineOf = (text: string): "\n" | "\r\n" | "\r" => {
  const first = /\r\n?|\n/.exec(text)?.[0]
  return first === "\r\n" || first === "\r" ? first : "\n"
}

/** The text with another newline. */
export const withNewline = (text: string, newline: string): string => text.replace(/\r\n?|\n/g, newline)

/** Where the text ends without line breaks behind it. A pattern with `$` would look at each break of the text. */
export const endWithoutBreaks = (text: string): number => {
  let end = text.length
  while (text[end - 1] === "\n") end--
  return end
}
