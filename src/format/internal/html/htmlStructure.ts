import { OpenElements } from "../xml/openElements.js"
import { blocks, endedByStart, isBlank, isHidden, isKept, voids } from "./htmlElements.js"
import type { HtmlToken } from "./htmlTokens.js"

/** A token's role for the texts around it. */
export type Role =
  /** It stands in a text, together with its end tag. */
  | "inline"
  /** It ends the text. */
  | "boundary"
  /** It begins an element that stands in a text and is kept. */
  | "keptInline"
  /** It begins an element that ends the text and is kept. */
  | "keptBlock"

export interface HtmlStructure {
  readonly tokens: ReadonlyArray<HtmlToken>
  readonly roles: ReadonlyArray<Role>
  /** For a start tag, the token that ends its element; the number of tokens if none does. For others -1. */
  readonly closes: Int32Array
  /** For an end tag, its start tag, or else -1. */
  readonly opens: Int32Array
  /** The number of start tags of the same name before a start tag, and it. */
  readonly ordinals: Int32Array
  /** The number of texts and elements with a text before each token. */
  readonly contents: Int32Array
}

/** Matches start tags and end tags. */
const match = (tokens: ReadonlyArray<HtmlToken>) => {
  const closes = new Int32Array(tokens.length).fill(-1)
  const opens = new Int32Array(tokens.length).fill(-1)
  const ordinals = new Int32Array(tokens.length)
  const counts = new Map<string, number>()
  const open = new OpenElements<number>()
  tokens.forEach(({ kind, name }, index) => {
    if (kind === "start") {
      const ordinal = (counts.get(name) ?? 0) + 1
      counts.set(name, ordinal)
      ordinals[index] = ordinal
      if (voids.has(name)) return
      const ended = endedByStart(name)
      while (open.top !== undefined && ended.has(open.top.name)) closes[open.pop()!] = index
      open.push(name, index)
    } else if (kind === "end" && open.has(name)) {
      while (open.top!.name !== name) closes[open.pop()!] = index
      opens[index] = open.top!.value
      closes[open.pop()!] = index
    }
  })
  while (open.top !== undefined) closes[open.pop()!] = tokens.length
  return { closes, opens, ordinals }
}

/** The structure of the mark-up of a text. Its time is linear, and it does not recur. */
export const structure = (text: string, tokens: ReadonlyArray<HtmlToken>): HtmlStructure => {
  const { closes, opens, ordinals } = match(tokens)
  const count = tokens.length
  const isPaired = (index: number) => {
    const close = closes[index]!
    return close < count && close >= 0 && opens[close] === index
  }
  const roles: Array<Role> = new Array<Role>(count).fill("inline")
  // How many boundaries are before a token.
  const boundaries = new Int32Array(count + 1)
  const contents = new Int32Array(count + 1)
  let seen = 0
  let content = 0
  let index = 0
  let from = 0
  const skip = () => {
    const next = isPaired(index) ? closes[index]! + 1 : closes[index]!
    for (let inner = index + 1; inner < next; inner++) {
      boundaries[inner] = seen
      contents[inner] = content
    }
    from = isPaired(index) ? tokens[next - 1]!.end : (tokens[next]?.start ?? text.length)
    index = next
  }
  while (index < count) {
    const token = tokens[index]!
    if (!isBlank(text.slice(from, token.start))) content++
    contents[index] = content
    boundaries[index] = seen
    if (token.kind === "start" && !voids.has(token.name) && isKept(token)) {
      const isInline = isPaired(index) && !blocks.has(token.name)
      roles[index] = isInline ? "keptInline" : "keptBlock"
      if (!isInline) seen++
      else if (!isHidden(token)) content++
      skip()
      continue
    }
    const isAlone = token.kind === "start" ? !isPaired(index) : opens[index]! < 0
    const isUnmatched = token.kind !== "comment" && !voids.has(token.name) && isAlone
    if (isUnmatched || blocks.has(token.name)) {
      roles[index] = "boundary"
      seen++
    }
    from = token.end
    index++
  }
  boundaries[count] = seen
  contents[count] = content + (isBlank(text.slice(from)) ? 0 : 1)
  // An element that holds a boundary is one.
  for (let start = 0; start < count; start++) {
    if (roles[start] !== "inline" || tokens[start]!.kind !== "start" || !isPaired(start)) continue
    const close = closes[start]!
    if (boundaries[close]! > boundaries[start]!) {
      roles[start] = "boundary"
      roles[close] = "boundary"
    }
  }
  return { tokens, roles, closes, opens, ordinals, contents }
}
