import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { parseSync } from "subtitle"
import { layout } from "../../src/format/internal/cues/cueLayout.js"
import { format } from "../../src/format/Srt.js"
import { runs } from "../support/long.js"
import { bytesOf, partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"
import { untilError } from "./support.js"

/** A cue of a second, two seconds after the one before unless it is told when. */
const cue = (number: number, text: string, from = number * 2000, to = from + 1900) =>
  `${number}\n${stamp(from)} --> ${stamp(to)}\n${text}\n\n`

const stamp = (time: number) => new Date(time).toISOString().slice(11, 23).replace(".", ",")

const film = [
  cue(1, "We have come a long way,"),
  cue(2, "and we will not turn back\nbefore we have seen the sea."),
  cue(3, "<i>It is late.</i>"),
  cue(4, "- Are you there?\n- I am."),
  cue(5, "{\\an8}<b>He <i>really</i> said</b>"),
  cue(6, "{\\an8}<b>that it was over.</b>"),
  cue(7, "♪ ♪"),
  cue(8, "[door slams]"),
  cue(9, "42")
].join("")

const write = (file: string, key: string, translation: string, targetLang = "de") =>
  rewrite(format, file, (unit) => (unit.key === key ? translation : undefined), { targetLang })

describe("SRT reads", () => {
  it.effect("sentences over cues as one unit, and speakers of a cue as units of their own", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, film)).toStrictEqual({
        "1": "We have come a long way, and we will not turn back before we have seen the sea.",
        "3": "It is late.",
        "4/1": "Are you there?",
        "4/2": "I am.",
        "5": "He <i>really</i> said that it was over.",
        "8": "[door slams]",
        "9": "42"
      })
    })
  )

  it.effect("cues one by one where there is a pause, another place, or another speaker", () =>
    Effect.gen(function* () {
      const texts = (...cues: ReadonlyArray<string>) =>
        Effect.map(unitsOf(format, cues.join("")), (units) => units.map(({ text }) => text))
      expect(yield* texts(cue(1, "a", 0, 1000), cue(2, "b", 2499, 3000))).toStrictEqual(["a b"])
      expect(yield* texts(cue(1, "a", 0, 1000), cue(2, "b", 2500, 3000))).toStrictEqual(["a", "b"])
      expect(yield* texts(cue(1, "a", 0, 3000), cue(2, "b", 1000, 3000))).toStrictEqual(["a", "b"])
      expect(yield* texts(cue(1, "a"), cue(2, "{\\an8}b"))).toStrictEqual(["a", "b"])
      expect(yield* texts(cue(1, "a"), cue(2, "- b"))).toStrictEqual(["a", "b"])
      expect(yield* texts(cue(1, "a"), cue(2, "[b]"))).toStrictEqual(["a", "[b]"])
      expect(yield* texts(cue(1, 'a."'), cue(2, "b"))).toStrictEqual(['a."', "b"])
      expect(yield* texts(cue(1, "我们走"), cue(2, "你们留下，"), cue(3, "好"))).toStrictEqual([
        "我们走",
        "你们留下， 好"
      ])
    })
  )

  it.effect("at most eight cues as one unit", () =>
    Effect.gen(function* () {
      const file = Array.from({ length: 10 }, (_, index) => cue(index + 1, "la")).join("")
      expect((yield* unitsOf(format, file)).map(({ key, text }) => [key, text.length])).toStrictEqual([
        ["1", 8 * 3 - 1],
        ["9", 5]
      ])
    })
  )

  it.effect("keys that are unique, also where numbers are missing or used twice", () =>
    Effect.gen(function* () {
      const cues = [cue(1, "A."), cue(1, "B."), cue(3, "C.").slice(2), cue(2, "D."), cue(3, "E.").slice(2)]
      const units = yield* unitsOf(format, cues.join(""))
      expect(units.map(({ key, line }) => [key, line])).toStrictEqual([
        ["1", 3],
        ["1#7", 7],
        ["00:00:06,000", 10],
        ["2", 14],
        ["00:00:06,000#17", 17]
      ])
    })
  )

  it.effect("points for commas, times without hours, hours of three digits, and places", () =>
    Effect.gen(function* () {
      const file =
        "1\n00:01.500 --> 00:02.500 X1:1 X2:2\nA.\n\n2\n100:00:01,000-->100:00:02,000\nB.\n\n\n\n3\n0:1:2,3 --> 0:1:3,4\nC."
      expect(Object.values(yield* textsOf(format, file))).toStrictEqual(["A.", "B.", "C."])
      expect(yield* untouched(format, file)).toBe(file)
    })
  )

  it.effect("a cue as soon as the next one has begun", () =>
    Effect.gen(function* () {
      const live = Stream.concat(
        Stream.make(bytesOf(cue(1, "A.") + cue(2, "B.")), bytesOf(`${cue(3, "C")}4\n`)),
        Stream.never
      )
      const parts = yield* live.pipe(format.decode({ targetLang: "de" }), Stream.take(2), Stream.runCollect)
      expect(Chunk.toReadonlyArray(parts).map(({ units }) => units[0]?.text)).toStrictEqual(["A.", "B."])
    })
  )
})

describe("SRT writes", () => {
  it.effect("untouched files byte for byte", () =>
    Effect.gen(function* () {
      const files = [film, `\uFEFF${film}`, film.trimEnd(), `\n \n${film}\n\n`, "", "\uFEFF", cue(1, "")]
      for (const file of files.flatMap((file) =>
        ["\n", "\r\n", "\r"].map((newline) => file.replaceAll("\n", newline))
      )) {
        for (const chunkSize of [1, 7]) {
          expect(yield* untouched(format, file, { chunkSize })).toBe(file)
        }
        expect(yield* writtenAnew(format, file)).toBe(file)
        expect((yield* partsOf(format, file)).map(({ raw }) => raw).join("")).toBe(file)
      }
    })
  )

  it.effect("a translation over its cues by time and length, broken behind punctuation", () =>
    Effect.gen(function* () {
      const file = (first: string, second: string) => cue(1, first, 0, 2500) + cue(2, second, 2600, 6600)
      const source = file(
        "We have come a long way,",
        "and we will not turn back\nbefore we have seen the sea."
      )
      const translation = "Wir sind weit gekommen, und wir kehren nicht um, ehe wir das Meer gesehen haben."
      expect(yield* write(source, "1", translation)).toBe(
        file("Wir sind weit gekommen,", "und wir kehren nicht um,\nehe wir das Meer gesehen haben.")
      )
    })
  )

  it.effect("the marks of speakers and tags where they were", () =>
    Effect.gen(function* () {
      expect(yield* write(film, "4/2", "Ja.")).toContain("- Are you there?\n- Ja.\n")
      const written = yield* write(film, "5", "Er sagte <i>wirklich, dass</i> es vorbei war.")
      expect(written).toContain("{\\an8}<b>Er sagte <i>wirklich,</i></b>\n")
      expect(written).toContain("{\\an8}<b><i>dass</i> es vorbei war.</b>\n")
    })
  )

  it.effect("the line ends of the file", () =>
    Effect.gen(function* () {
      const file = cue(1, "A").replaceAll("\n", "\r\n")
      const translation = "Dieser Satz ist für eine einzige Zeile zu lang, und hat darum zwei."
      expect(yield* write(file, "1", translation)).toBe(
        cue(1, "Dieser Satz ist für eine einzige\nZeile zu lang, und hat darum zwei.").replaceAll(
          "\n",
          "\r\n"
        )
      )
    })
  )

  it.effect("Chinese and Japanese between words, not before closing punctuation", () =>
    Effect.gen(function* () {
      const file = cue(1, "We have come a long way,") + cue(2, "and we will not turn back.")
      const written = yield* write(file, "1", "我们走了很长的路，我们不会在看到大海之前回头。", "zh-Hans")
      expect(written).toBe(cue(1, "我们走了很长的路，") + cue(2, "我们不会在看到大海之前回头。"))
    })
  )

  it.effect("the same word on all cues where there are too few", () =>
    Effect.gen(function* () {
      const file = cue(1, "Oh") + cue(2, "no") + cue(3, "please!")
      expect(yield* write(file, "1", "Bitte nicht!")).toBe(
        cue(1, "Bitte") + cue(2, "Bitte") + cue(3, "nicht!")
      )
    })
  )

  it.effect("no text that would be read as times", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(write(cue(1, "A."), "1", "00:00:01,000 --> 00:00:02,000"))
      expect(error).toMatchObject({ key: "1", line: 3, message: expect.stringContaining("times of a cue") })
      const second = yield* Effect.flip(
        rewrite(format, cue(1, "- A.\n- B."), ({ text }) => (text === "B." ? "0:0:1,0 --> 0:0:2,0" : "x"))
      )
      expect(second).toMatchObject({ key: "1/2", line: 3 })
    })
  )
})

describe("SRT fails", () => {
  const failure = (file: string | Uint8Array, sizes = 5) =>
    untilError(
      Stream.fromIterable(Array.from(bytesOf(file))).pipe(
        Stream.rechunk(sizes),
        Stream.mapChunks((bytes) => Chunk.of(Uint8Array.from(bytes))),
        format.decode({ targetLang: "de", file: "a.srt" })
      )
    )

  it.effect("with file, line and advice, behind the cues before", () =>
    Effect.gen(function* () {
      const good = cue(1, "A.")
      for (const [bad, line, message] of [
        ["2\n00:00:01 -> 00:00:02\nsecret\n", 6, "no times below"],
        ["2\n00:00:01 --> 00:00:02\nsecret\n", 6, "times of a cue are wrong"],
        ["secret\n\n", 5, "text outside of a cue"],
        ["2\n\nsecret\n", 6, "no times below"],
        ["2\n", 5, "it is cut"],
        [`${cue(2, "b").trimEnd()}\n${cue(3, "secret")}`, 9, "without a blank line"]
      ] as const) {
        const { error, values } = yield* failure(good + bad)
        expect(values.map(({ raw }) => raw).join("")).toContain("A.")
        expect(error).toMatchObject({
          format: "srt",
          file: "a.srt",
          line,
          message: expect.stringContaining(message)
        })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("on bytes that are not UTF-8", () =>
    Effect.gen(function* () {
      const { error } = yield* failure(Uint8Array.from([...bytesOf(cue(1, "A.")), 0x32, 0xff, 0x0a]))
      expect(error).toMatchObject({ line: 5, message: expect.stringContaining("UTF-8") })
    })
  )

  it.effect("on a line without end before it fills the memory", () =>
    Effect.gen(function* () {
      const endless = Stream.concat(
        Stream.make(bytesOf("1\n")),
        Stream.forever(Stream.make(bytesOf("x".repeat(65536))))
      )
      const { error } = yield* untilError(endless.pipe(format.decode({ targetLang: "de" })))
      expect(error).toMatchObject({ line: 2, message: expect.stringContaining("longer than") })
    })
  )
})

describe("Another parser of SRT", () => {
  it.effect("finds the same cues after a translation", () =>
    Effect.gen(function* () {
      const cuesOf = (file: string) =>
        parseSync(file).map((node) => (node.type === "cue" ? [node.data.start, node.data.end] : node.type))
      const translated = yield* rewrite(
        format,
        film,
        ({ text }) => `${text} Und noch ein Satz, der länger ist.`
      )
      expect(translated).not.toBe(film)
      expect(cuesOf(translated)).toStrictEqual(cuesOf(film))
      expect(cuesOf(translated)).toHaveLength(9)
    })
  )
})

describe("The layout of cues", () => {
  const slot = { duration: 3000, length: 40 }

  it("breaks a long text in two lines of about the same length, of at most 42 characters", () => {
    const [text] = layout("one two three four five six seven eight nine ten eleven twelve", [slot], "en")
    expect(text).toBe("one two three four five six seven\neight nine ten eleven twelve")
  })

  it("gives more to a cue that is longer", () => {
    const words = Array.from({ length: 12 }, () => "word").join(" ")
    const [short, long] = layout(
      words,
      [
        { duration: 1000, length: 10 },
        { duration: 9000, length: 90 }
      ],
      "en"
    )
    expect([short, long!.length]).toStrictEqual(["word", 54])
  })

  it("takes a language that the runtime does not know", () => {
    expect(layout("你好，世界", [slot, slot], "xx-rYY")).toStrictEqual(["你好，", "世界"])
  })
})

describe("SRT as a property", () => {
  const word = fc.oneof(
    fc.constantFrom("a", "bc", "def,", "ghij", "klmno.", "<i>x</i>", "{\\i1}y", "z!", "字", "1"),
    fc
      .fullUnicodeString({ minLength: 1, maxLength: 4 })
      .map((text) => text.replace(/[\s\p{C}<>{}\-–—‐]/gu, "q"))
  )
  const words = fc.array(word, { minLength: 1, maxLength: 8 })
  const file = fc
    .tuple(fc.array(words, { maxLength: 6 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([texts, newline]) =>
      texts
        .map((text, index) => cue(index + 1, text.join(" ")))
        .join("")
        .replaceAll("\n", newline)
    )

  it.effect.prop(
    "leaves untouched files as they are, whatever the chunks",
    [file, fc.integer({ min: 1, max: 9 })],
    ([file, chunkSize]) =>
      Effect.gen(function* () {
        expect(yield* untouched(format, file, { chunkSize })).toBe(file)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "reads its own output, and no cue is without text",
    [
      file,
      fc.array(fc.constantFrom("a", "bc", "def,", "ghij", "klmno.", "z!"), { minLength: 8, maxLength: 40 })
    ],
    ([file, texts]) =>
      Effect.gen(function* () {
        const translation = texts.join(" ")
        const before = yield* unitsOf(format, file)
        const written = yield* rewrite(format, file, () => translation)
        const after = yield* unitsOf(format, written)
        expect(after.map(({ text }) => text).join(" ")).toContain(before.map(() => translation).join(" "))
        const other = parseSync(written.replace(/\r\n?/g, "\n"))
        expect(other.every((node) => node.type === "cue" && node.data.text.trim() !== "")).toBe(true)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "takes every text",
    [fc.fullUnicodeString({ maxLength: 40 }), fc.constantFrom("de", "ja", "th", "zh-Hans")],
    ([text, targetLang]) =>
      Effect.gen(function* () {
        const source = cue(1, "a b c") + cue(2, "d e f.")
        const written = yield* rewrite(format, source, () => `x ${text} y`, { targetLang })
        expect(yield* untouched(format, written)).toBe(written)
        expect(written).toContain(cue(2, "").trim())
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
