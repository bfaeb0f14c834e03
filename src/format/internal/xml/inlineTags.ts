import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { unescape } from "./xmlText.js"

/** A text, or an inline mark with its content. */
export type Inline =
  | { readonly text: string }
  | { readonly tag: string; readonly children: ReadonlyArray<Inline> }

/** A text as XML has it between tags. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<]/g, (character) => (character === "&" ? "&amp;" : "&lt;"))

/** Services may put whitespace into tags. */
const tagPattern = /<\s{0,2}(\/?)\s{0,2}([a-z]\d{1,9})\s{0,2}(\/?)\s{0,2}>/g

/**
 * The translation as text and marks, by the tags of its source: their names, and true for those with content. Each has
 * to be there once, and pairs may not cross. Other angle brackets are text.
 */
export const parseInlines = (
  translation: string,
  tags: ReadonlyMap<string, boolean>
): Either.Either<ReadonlyArray<Inline>, Problem> => {
  const root: Array<Inline> = []
  const stack: Array<{ readonly tag: string; readonly children: Array<Inline> }> = []
  const seen = new Set<string>()
  let children = root
  let misplaced = 0
  let at = 0
  const addText = (end: number) => {
    if (end > at) children.push({ text: unescape(translation.slice(at, end)) })
  }
  for (const { 0: raw, 1: slash, 2: name, 3: selfClosing, index } of translation.matchAll(tagPattern)) {
    const tag = name!
    const isPair = tags.get(tag)
    if (isPair === undefined) continue
    addText(index)
    at = index + raw.length
    if (slash === "/") {
      if (!isPair) continue
      if (stack.at(-1)?.tag === tag) {
        stack.pop()
        children = stack.at(-1)?.children ?? root
      } else misplaced++
      continue
    }
    if (seen.has(tag)) misplaced++
    seen.add(tag)
    const inline = { tag, children: [] as Array<Inline> }
    children.push(inline)
    if (isPair && selfClosing === "") {
      stack.push(inline)
      children = inline.children
    }
  }
  addText(translation.length)
  const lost = tags.size - seen.size
  return lost === 0 && misplaced === 0 && stack.length === 0
    ? Either.right(root)
    : Either.left({
        message: `of the ${tags.size} inline tags of the text, the translation has lost ${lost}, and ${misplaced + stack.length} are doubled, crossed or not closed: translate it again, or correct it.`
      })
}
