/** A piece of a text that is replaced; where it starts and ends at the same place, an insertion. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with its edits. Insertions at one place stay in their order, in front of what is replaced there. */
export const applyEdits = (text: string, edits: ReadonlyArray<Edit>): string => {
  let edited = ""
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // What is in a piece that was removed already goes with it.
    if (edit.end < from) continue
    edited += text.slice(from, Math.max(from, edit.start)) + edit.text
    from = Math.max(from, edit.end)
  }
  return edited + text.slice(from)
}

/** A piece of the text with its edits. */
export const editPiece = (
  text: string,
  { end, start }: { readonly start: number; readonly end: number },
  edits: ReadonlyArray<Edit>
): string =>
  applyEdits(
    text.slice(start, end),
    edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }))
  )

/** How the first line of a text ends. */
export const newlineOf = (text: string): "\n" | "\r\n" | "\r" => {
  const first = /\r\n?|\n/.exec(text)?.[0]
  return first === "\r\n" || first === "\r" ? first : "\n"
}

/** The text with another newline. */
export const withNewline = (text: string, newline: string): string => text.replace(/\r\n?|\n/g, newline)
