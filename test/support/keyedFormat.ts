/** A small format for tests of what works with any format: `key = text`, one a line; a comment above is its context. */
import * as Either from "effect/Either"
import * as Format from "../../src/format/Format.js"

const line = /^(\w+) = (.*)$/

const parse = (text: string): Either.Either<ReadonlyArray<Format.Part>, Format.Problem> => {
  const parts: Array<Format.Part> = []
  let comment: string | undefined
  const lines = text.split(/(?<=\n)/)
  for (const [index, raw] of lines.entries()) {
    const content = raw.replace(/\n$/, "")
    const [, key, value] = line.exec(content) ?? []
    if (content.startsWith("?"))
      return Either.left({ line: index + 1, message: "the line begins with a question mark: remove it." })
    if (key === undefined || value === undefined) {
      parts.push({ raw, units: [] })
      comment = content.startsWith("# ") ? content.slice(2) : undefined
      continue
    }
    parts.push({
      raw,
      units: [{ key, text: value, line: index + 1, state: "missing" }],
      context: comment,
      write: ([translation]) =>
        translation === undefined
          ? Either.right(raw)
          : translation.includes("\n")
            ? Either.left({ message: "the translation has several lines: write it as one." })
            : Either.right(`${key} = ${translation}${raw.slice(content.length)}`)
    })
    comment = undefined
  }
  return Either.right(parts)
}

const keysOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((content) => line.exec(content)?.[1] ?? [])

/** One language in a file. */
export const keyed: Format.Format = Format.wholeFile({
  name: "Keyed",
  extensions: [".keyed"],
  placeholders: { kinds: ["braces"] },
  parse,
  merge: (source, target, { removed }) => {
    const has = new Set(keysOf(target))
    const wanted = new Set(keysOf(source))
    const kept = target
      .split(/(?<=\n)/)
      .filter(
        (raw) =>
          removed === "keep" || wanted.has(line.exec(raw.trimEnd())?.[1] ?? "") || !line.test(raw.trimEnd())
      )
    const added = source.split("\n").filter((raw) => line.test(raw) && !has.has(line.exec(raw)![1]!))
    return Either.right(kept.join("") + added.map((raw) => `${raw}\n`).join(""))
  }
})

/** As `keyed`, for files that are written anew from their source. */
export const unmerged: Format.Format = { ...keyed, merge: undefined }

/** Both languages in a file: `key = text | translation`, with `~` in front of one to be looked at. */
export const bilingual: Format.Format = Format.wholeFile({
  name: "Bilingual",
  extensions: [".both"],
  isBilingual: true,
  parse: (text) =>
    Either.right(
      text.split(/(?<=\n)/).map((raw, index): Format.Part => {
        const [, key, value] = line.exec(raw.trimEnd()) ?? []
        if (key === undefined || value === undefined) return { raw, units: [] }
        const [source = "", translation] = value.split(" | ")
        const isFuzzy = translation?.startsWith("~") === true
        return {
          raw,
          units: [
            {
              key,
              text: source,
              line: index + 1,
              state: translation === undefined ? "missing" : isFuzzy ? "fuzzy" : "translated",
              translation: isFuzzy ? translation.slice(1) : translation
            }
          ],
          write: ([written]) =>
            Either.right(written === undefined ? raw : `${key} = ${source} | ${written}\n`)
        }
      })
    )
})
