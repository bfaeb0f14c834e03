import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { parseSync } from "subtitle"
import { format } from "../../src/format/WebVtt.js"
import { runs } from "../support/long.js"
import { partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const file = `WEBVTT - A film
Language: en

STYLE
::cue { color: yellow }

REGION
id:fred

NOTE
00:00.000 is not --> a cue
still a note

intro
00:01.000 --> 00:03.000 position:10%,line-left align:left
<v.loud Mary>Tom &amp; Jerry,

2
00:03.100 --> 00:05.000 position:10%,line-left align:left
<v.loud Mary>are <c.blue>here</c> &lt;3&nbsp;!

00:00:06.000 --> 00:00:08.000
<v Mary>Who is it?
<v Tom>Me.</v>

00:00:09.000 --> 00:00:10.000
- One.
- Two.

NOTE the end

1:00:00.000 --> 1:00:01.000
<00:00:19.000>La <00:00:20.000><c>la</c>
`

const write = (key: string, translation: string) =>
  rewrite(format, file, (unit) => (unit.key === key ? translation : undefined))

describe("webvtt", () => {
  it.effect("reads sentences and speakers, with references as characters", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, file)).toStrictEqual({
        "00:01.000": "Tom & Jerry, are <c.blue>here</c> <3\u00A0!",
        "00:00:06.000/1": "Who is it?",
        "00:00:06.000/2": "Me.",
        "00:00:09.000/1": "One.",
        "00:00:09.000/2": "Two.",
        "1:00:00.000": "La <00:00:20.000><c>la</c>"
      })
    })
  )

  it.effect("keeps sentences apart where a comment, settings or another voice are between", () =>
    Effect.gen(function* () {
      const units = (between: string, settings = "", voice = "") =>
        Effect.map(
          unitsOf(
            format,
            `WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>a\n\n${between}00:02.000 --> 00:03.000${settings}\n<v A${voice}>b\n`
          ),
          ({ length }) => length
        )
      expect(yield* units("")).toBe(1)
      expect(yield* units("NOTE x\n\n")).toBe(2)
      expect(yield* units("", " line:0")).toBe(2)
      expect(yield* units("", "", "B")).toBe(2)
    })
  )

  it.effect("leaves untouched files byte for byte", () =>
    Effect.gen(function* () {
      for (const text of [file, `\uFEFF${file}`, file.trimEnd(), "WEBVTT", "WEBVTT\n\n\n"]) {
        for (const newline of ["\n", "\r\n", "\r"]) {
          const source = text.replaceAll("\n", newline)
          for (const chunkSize of [1, 7]) {
            expect(yield* untouched(format, source, { chunkSize })).toBe(source)
          }
          expect(yield* writtenAnew(format, source)).toBe(source)
          expect((yield* partsOf(format, source)).map(({ raw }) => raw).join("")).toBe(source)
        }
      }
    })
  )

  it.effect("writes references where they are needed, and voices where they were", () =>
    Effect.gen(function* () {
      expect(yield* write("00:01.000", "1 < 2 & --> so, <c.blue>hier</c> sind sie.")).toBe(
        file
          .replace("Tom &amp; Jerry,", "1 &lt; 2 &amp; --&gt; so,")
          .replace("are <c.blue>here</c> &lt;3&nbsp;!", "<c.blue>hier</c> sind sie.")
      )
      expect(yield* write("00:00:06.000/2", "Ich.")).toBe(file.replace("<v Tom>Me.</v>", "<v Tom>Ich.</v>"))
    })
  )

  it.effect("reads references by number, and keeps those that only HTML knows", () =>
    Effect.gen(function* () {
      const file = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`
      const source = file("it&#39;s &quot;&#x4E2D;&quot; &copy; &#60;b&#62; &amp;copy;")
      const [unit] = yield* unitsOf(format, source)
      expect(unit!.text).toBe('it\'s "中" &copy; &#60;b> &amp;copy;')
      expect(yield* rewrite(format, source, ({ text }) => `${text} AT&T`)).toBe(
        file('it\'s "中" &copy; &#60;b> &amp;copy; AT&amp;T')
      )
    })
  )

  it.effect("closes tags at the end of a cue and opens them again in the next", () =>
    Effect.gen(function* () {
      const source =
        "WEBVTT\n\n00:01.000 --> 00:02.000\nSo <i>very\n\n00:02.000 --> 00:03.000\nnice</i> it is.\n"
      expect(yield* textsOf(format, source)).toStrictEqual({ "00:01.000": "So <i>very nice</i> it is." })
      expect(yield* rewrite(format, source, () => "Es ist <i>sehr sehr schön</i> so.")).toBe(
        source
          .replace("So <i>very\n", "Es ist <i>sehr</i>\n")
          .replace("nice</i> it is.", "<i>sehr schön</i> so.")
      )
    })
  )

  it.effect(
    "takes lines of whitespace for text, and only empty lines for the end of a cue or a comment",
    () =>
      Effect.gen(function* () {
        const source =
          "WEBVTT\n\nNOTE one\n \ntwo\n\n00:01.000 --> 00:02.000\n \nOne.\n \n\n00:03.000 --> 00:04.000\n \n \n\n00:05.000 --> 00:06.000\n \nTwo,\n\t\nthree.\n"
        expect(yield* textsOf(format, source)).toStrictEqual({
          "00:01.000": "One.",
          "00:05.000": "Two, three."
        })
        expect(yield* untouched(format, source, { chunkSize: 1 })).toBe(source)
        expect(yield* rewrite(format, source, () => "Neu.")).toBe(
          source.replace("One.", "Neu.").replace("Two,\n\t\nthree.", "Neu.")
        )
      })
  )

  it.effect("reads a cue that begins in a block which no empty line has ended", () =>
    Effect.gen(function* () {
      for (const block of ["", " \n", "\nNOTE a\n \n"]) {
        expect(yield* textsOf(format, `WEBVTT\n${block}00:01.000 --> 00:02.000\nOne.\n`)).toStrictEqual({
          "00:01.000": "One."
        })
      }
    })
  )

  it.effect("fails with line and advice", () =>
    Effect.gen(function* () {
      for (const [bad, line, message] of [
        ["", 1, "WEBVTT"],
        ["WEBVTTX\n", 1, "WEBVTT"],
        ["WEBVTT\n\n00:01 --> 00:02.000\nsecret\n", 3, "times of a cue are wrong"],
        ["WEBVTT\n\nsecret\nsecret\n", 4, "no times below"]
      ] as const) {
        const error = yield* Effect.flip(untouched(format, bad))
        expect(error).toMatchObject({ format: "webvtt", line, message: expect.stringContaining(message) })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("is read by another parser with the same times after a translation", () =>
    Effect.gen(function* () {
      const cuesOf = (text: string) =>
        parseSync(text).flatMap((node) => (node.type === "cue" ? [[node.data.start, node.data.end]] : []))
      const source =
        file.slice(0, file.indexOf("STYLE")) + file.slice(file.indexOf("00:01.000"), file.indexOf("NOTE the"))
      const translated = yield* rewrite(format, source, ({ text }) => `${text} Und mehr.`)
      expect(cuesOf(translated)).toStrictEqual(cuesOf(source))
      expect(cuesOf(translated)).toHaveLength(4)
    })
  )

  it.effect.prop(
    "reads its own output, whatever the text",
    [
      fc
        .stringOf(fc.constantFrom(..."<>&;ab/1.-! \n", "&lt;", "&nbsp;", "é", "字", "-->"), { maxLength: 30 })
        .filter((text) => !/&amp;|<[^<>]*>|\u00A0/.test(text))
    ],
    ([random]) =>
      Effect.gen(function* () {
        const source = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n"
        const text = `x ${random} y`
        const written = yield* rewrite(format, source, () => text)
        const shown = (text: string) =>
          text
            .replaceAll("&lt;", "<")
            .replaceAll("&nbsp;", "\u00A0")
            .replace(/[ \n]+/g, " ")
        expect((yield* unitsOf(format, written)).map(({ text }) => shown(text))).toStrictEqual([shown(text)])
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
