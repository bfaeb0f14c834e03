/** What holds for all checks and all texts. */
import { describe, expect, it } from "@effect/vitest"
import { Check } from "effect-translate/checks"
import * as fc from "fast-check"
import * as cpuTime from "../support/cpuTime.js"
import { runs } from "../support/long.js"

const piece = fc.oneof(
  fc.constantFrom(
    "The house is old. ",
    "Das Haus ist alt. ",
    "家は古い。",
    'צה"ל ',
    "{name}",
    "%1$s",
    "<b>",
    "</b>",
    '<a href="https://example.org/en/">',
    "https://example.org/a.",
    "a@example.org",
    "file.txt",
    "1,500.25",
    "3.5 ",
    "20 %",
    "2026-03-04",
    "{n, plural, one {# file} other {",
    "#}}",
    "Ã¤",
    "?",
    "&amp;",
    "\\u00e4",
    "**",
    "`",
    "٤٢",
    "1万",
    "5 km",
    "$5",
    "(",
    ")",
    "」",
    "“",
    '"',
    "\u202e",
    "\u2066",
    "\ud83d",
    "🎉",
    "\n",
    "\n\n",
    "As an AI "
  ),
  fc.string({ unit: "grapheme", maxLength: 6 })
)

const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""))

const pairs = fc.record({
  source: text,
  translation: text,
  sourceLang: fc.constantFrom(undefined, "en", "ja", "zz", "not a code"),
  targetLang: fc.constantFrom("de", "ar", "ja", "pt-BR", "zh-Hant", "tlh", "not a code"),
  glossary: fc.constantFrom(
    undefined,
    new Map([
      ["house", "Haus"],
      ["", ""],
      ["古い", "alt"]
    ])
  ),
  placeholders: fc.constantFrom(undefined, [{ start: 0, end: 3 }], [{ start: 2, end: 2 }]),
  maxCharacters: fc.constantFrom(undefined, 20)
})

describe("all checks", () => {
  it("never throw, and their ranges lie within the texts", () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        for (const { source, translation } of Check.findings(Check.defaults, pair)) {
          for (const [ranges, whole] of [
            [source, pair.source],
            [translation, pair.translation]
          ] as const) {
            for (const { end, start } of ranges) {
              expect(start).toBeGreaterThanOrEqual(0)
              expect(end).toBeGreaterThan(start)
              expect(end).toBeLessThanOrEqual(whole.length)
            }
          }
        }
      }),
      { numRuns: runs(4000) }
    )
  })

  it("find the same when they are asked again", () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const found = Check.findings(Check.defaults, pair)
        expect(Check.findings(Check.defaults, pair)).toEqual(found)
      }),
      { numRuns: runs(800) }
    )
  })

  it("find no lost, changed or added part where source and translation are the same", () => {
    const checks = [
      Check.placeholders,
      Check.icu,
      Check.numbers,
      Check.units,
      Check.addresses,
      Check.brackets,
      Check.quotes,
      Check.encoding,
      Check.accelerators,
      Check.markup,
      Check.repetition,
      Check.controlCharacters,
      Check.modelReply
    ]
    fc.assert(
      fc.property(text, (source) => {
        const pair = { source, translation: source, sourceLang: "en", targetLang: "en-GB" }
        expect(Check.findings(checks, pair)).toEqual([])
      }),
      { numRuns: runs(800) }
    )
  })

  it.each([
    "a",
    "a.",
    "a ",
    "A",
    "1",
    "1 ",
    "111 ",
    "1.1",
    "a@",
    "a.txt",
    "www.",
    "://",
    "<",
    "<a ",
    "{",
    "{a,",
    "{a,plural,",
    "{a,plural,a{#}}",
    "'{",
    "3.5 ",
    "5% ",
    "5% to 5% ",
    "Ã",
    "à¤¤",
    "?",
    "a?",
    " ?",
    "&amp;",
    "\\u",
    "**",
    "** a",
    "`a",
    "\n# a",
    "_A",
    "&A",
    "%d ",
    "%",
    "(",
    '"',
    "\u202e",
    ". ",
    "\n",
    "ab ab ab ab x ",
    "abcdefgh",
    "家。",
    "I'm sorry ",
    "12 ",
    "Слово ",
    "<i>",
    "<q1>"
  ])("take time in proportion to the text: %j", (unit) => {
    const time = (characters: number) => {
      const translation = `${unit.repeat(characters / unit.length)}!`
      const pair = { source: `${translation}?`, translation, sourceLang: "en", targetLang: "de" }
      const taken = cpuTime.start()
      Check.findings(Check.defaults, pair)
      return taken()
    }
    time(1000)
    const short = time(10_000)
    // Ten times as much text in quadratic time would take a hundred times as long.
    expect(time(100_000)).toBeLessThan(40 * short + 500)
  })
})
