import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { OpenElements } from "../xml/openElements.js"
import { keptTag, voids } from "./htmlElements.js"
import { type HtmlToken, tokenize } from "./htmlTokens.js"

/** A tag put behind every text, which shows a text that ends inside of mark-up. */
const sentinel = "<i>"

/** The mark-up of a text, if the text ends outside of mark-up. */
const tokensOf = (text: string): ReadonlyArray<HtmlToken> | undefined => {
  const { tokens } = tokenize(text + sentinel)
  const last = tokens.at(-1)
  return last?.kind === "start" && last.start === text.length ? tokens.slice(0, -1) : undefined
}

const nameOf = ({ kind, name }: HtmlToken): string => `${kind} ${name}`

const isNested = (tokens: ReadonlyArray<HtmlToken>): boolean => {
  const open = new OpenElements<undefined>()
  for (const { kind, name } of tokens) {
    if (kind === "start" && !voids.has(name)) open.push(name, undefined)
    if (kind === "end" && !voids.has(name)) {
      if (open.top?.name !== name) return false
      open.pop()
    }
  }
  return open.top === undefined
}

const tagProblem = (
  expected: ReadonlyArray<HtmlToken>,
  found: ReadonlyArray<HtmlToken> | undefined
): Problem => {
  const counts = new Map<string, number>()
  for (const token of found ?? []) counts.set(nameOf(token), (counts.get(nameOf(token)) ?? 0) + 1)
  const lost = expected.filter((token) => {
    const count = counts.get(nameOf(token)) ?? 0
    counts.set(nameOf(token), count - 1)
    return count <= 0
  }).length
  return {
    message:
      found !== undefined && lost > 0
        ? `the translation has lost ${lost} of ${expected.length} tags: translate it again, or correct it.`
        : "the translation has tags that its text does not have, or that are not closed in their order: translate it again, or correct it."
  }
}

const sorted = (tokens: ReadonlyArray<HtmlToken>): string => tokens.map(nameOf).sort().join("\n")

/**
 * The mark-up of a translation, which has to be that of its text in an order that HTML allows. A text without any is no
 * mark-up to its translator: tags in its translation are escaped.
 */
const checked = (
  text: string,
  translation: string
): Either.Either<{ readonly translation: string; readonly tokens: ReadonlyArray<HtmlToken> }, Problem> => {
  if (!text.includes("<") && !translation.includes("<")) return Either.right({ translation, tokens: [] })
  const expected = tokensOf(text) ?? []
  const tokens = tokensOf(translation)
  if (tokens !== undefined && sorted(tokens) === sorted(expected) && isNested(tokens)) {
    return Either.right({ translation, tokens })
  }
  return expected.length === 0
    ? Either.right({ translation: translation.replaceAll("<", "&lt;"), tokens: [] })
    : Either.left(tagProblem(expected, tokens))
}

/** A translation with its kept pieces in place of their tags. */
export const restore = (options: {
  readonly text: string
  readonly translation: string
  /** The pieces in place of the tags `x1`, `x2` …. */
  readonly kept: ReadonlyArray<string>
  /** Start tags that are written anew. */
  readonly tags: ReadonlyMap<string, string>
}): Either.Either<string, Problem> =>
  Either.flatMap(checked(options.text, options.translation), ({ tokens, translation }) => {
    let written = ""
    let from = 0
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!
      const raw = translation.slice(token.start, token.end)
      const isKept = keptTag.test(token.name)
      if (isKept && tokens[index + 1]?.name !== token.name) {
        return Either.left({
          message: "the translation has tags inside of an element that is not translated: correct it."
        })
      }
      written += translation.slice(from, token.start)
      written += isKept ? options.kept[Number(token.name.slice(1)) - 1]! : (options.tags.get(raw) ?? raw)
      if (isKept) index++
      from = tokens[index]!.end
    }
    return Either.right(written + translation.slice(from))
  })

/** Text that cannot hold mark-up as the text of HTML which it is sent as. */
export const sent = (raw: string): string => raw.replaceAll("<", "&lt;")

/** The translation of such a text, with `<` as the text had it. */
export const received = (raw: string, translation: string): string =>
  raw.includes("<") && !raw.includes("&lt;") ? translation.replaceAll("&lt;", "<") : sent(translation)
