/** ICU messages: which sentences are translated, and that what comes back is a message that means the same. */

import { describe, expect, it } from "@effect/vitest"
import {
  isStructurallySame,
  type MessageFormatElement,
  parse,
  TYPE
} from "@formatjs/icu-messageformat-parser"
import { IcuMessage, type MessageFormat } from "effect-translate/icu"
import * as fc from "fast-check"
import { IntlMessageFormat } from "intl-messageformat"
import * as cpuTime from "../support/cpuTime.js"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"

const parsed = (text: string, targetLang = "en", sourceLang: string | undefined = "en") =>
  IcuMessage.format.parse(text, { sourceLang, targetLang })

/** The sentences as the translator sees them. */
const sentences = (text: string, targetLang?: string, sourceLang?: string) =>
  parsed(text, targetLang, sourceLang)?.sentences.map((parts) => parts.map((part) => part.text).join(""))

/** The message after a translation of its texts. */
const translated = (
  text: string,
  targetLang?: string,
  sourceLang?: string,
  translate = (text: string) => text
) => {
  const message = parsed(text, targetLang, sourceLang)
  return message?.format(
    message.sentences.map((parts) =>
      parts.map((part) => (part.placeholder === undefined ? { ...part, text: translate(part.text) } : part))
    )
  )
}

const formatter = (message: string, language: string) => {
  const format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true })
  return (values: Record<string, unknown>) => format.format(values as never)
}

describe("the sentences of a message", () => {
  it("hold the text before and behind a plural", () => {
    expect(sentences("You have {n, plural, one {# file} other {# files}} in {folder}.")).toEqual([
      "You have 1 file in {folder}.",
      "You have 2 files in {folder}."
    ])
  })

  it("are those of the target's plural categories, each with a number of its category", () => {
    const text = "{n, plural, one {# file} other {# files}}"
    expect(sentences(text, "ru")).toEqual(["1 file", "2 files", "5 files", "2.5 files"])
    expect(translated(text, "ru")).toBe(
      "{n, plural, one {# file} few {# files} many {# files} other {# files}}"
    )
    expect(sentences(text, "ja")).toEqual(["2 files"])
    expect(translated(text, "ja")).toBe("{n, plural, other {# files}}")
    expect(translated(text, "ar")).toBe(
      "{n, plural, zero {# files} one {# file} two {# files} few {# files} many {# files} other {# files}}"
    )
  })

  it("are fewer where the target has fewer categories", () => {
    const text = "{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}"
    expect(translated(text, "en", "ru")).toBe("{n, plural, one {# файл} other {# файлов}}")
  })

  it("keep branches of numbers, and an offset", () => {
    const text =
      "{n, plural, offset:1 =0 {nobody} =1 {{who}} one {{who} and # other} other {{who} and # others}}"
    expect(translated(text)).toBe(text)
    expect(sentences(text)).toEqual(["nobody", "{who}", "{who} and 1 other", "{who} and 2 others"])
  })

  it("of `one` without its number go to a number where the target's `one` has others", () => {
    const text = "{n, plural, one {a file} other {# files}}"
    expect(translated(text, "ru")).toBe(
      "{n, plural, =1 {a file} one {# files} few {# files} many {# files} other {# files}}"
    )
    expect(sentences(text, "ru")![1]).toBe("21 files")
    expect(translated(text, "fr")).toMatch(/^\{n, plural, =1 \{a file\} one \{# files\}/)
    expect(translated(text, "ja")).toBe("{n, plural, =1 {a file} other {# files}}")
    expect(translated(text, "de")).toBe(text)
  })

  it("hold a number for an argument that is written beside its plural", () => {
    expect(sentences("{n, plural, one {{n} file} other {{n, number} files}} {m}", "ru")).toEqual([
      "1 file {m}",
      "2 files {m}",
      "5 files {m}",
      "2.5 files {m}"
    ])
  })

  it("are those of ordinals", () => {
    const text = "the {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} of {m}"
    expect(sentences(text)).toEqual(["the 21st of {m}", "the 2nd of {m}", "the 3rd of {m}", "the 4th of {m}"])
    expect(translated(text, "de")).toBe("{n, selectordinal, other {the #th of {m}}}")
  })

  it("are those of a select with a plural inside, and the other way round", () => {
    const inside =
      "{g, select, f {{n, plural, one {her # file} other {her # files}}} other {all files}} on {d, date, short}"
    expect(translated(inside)).toBe(
      "{g, select, f {{n, plural, one {her # file on {d, date, short}} other {her # files on {d, date, short}}}} other {all files on {d, date, short}}}"
    )
    const outside = "{n, plural, one {{g, select, f {her} other {the}} file} other {# files}}"
    expect(translated(outside)).toBe(
      "{g, select, f {{n, plural, one {her file} other {# files}}} other {{n, plural, one {the file} other {# files}}}}"
    )
  })

  it("agree where an argument is selected on twice", () => {
    expect(
      sentences("{n, plural, one {# file} other {# files}} {n, plural, one {is} other {are}} new")
    ).toEqual(["1 file is new", "2 files are new"])
  })

  it("write the number in full where another plural is inside", () => {
    expect(translated("{n, plural, one {# a} other {# b}} {m, plural, one {# c} other {# d}}")).toContain(
      "other {{m, plural, one {{n, number} b # c} other {{n, number} b # d}}}"
    )
  })

  it("are sent once where they are equal", () => {
    expect(sentences("{n, plural, one {new} other {new}}", "ru")).toEqual(["new"])
  })

  it("follow the target's rules if those of the source are not known", () => {
    const text = "{n, plural, one {# a} few {# b} many {# c} other {# d}}"
    const message = IcuMessage.format.parse(text, { targetLang: "ru" })!
    expect(message.format(message.sentences)).toBe(text)
  })

  it("keep their branches if the runtime knows neither language", () => {
    const text = "{n, plural, one {# a} other {# b}}"
    for (const language of ["tlh", "", "not a language"]) expect(translated(text, language, "")).toBe(text)
  })

  it("are the text itself if nothing is selected on", () => {
    expect(sentences("Hello {name}, it''s '{'you'}'")).toEqual(["Hello {name}, it's {you}"])
    expect(sentences("")).toEqual([""])
  })
})

describe("a message that is written", () => {
  it("quotes characters that have a meaning, and only where they have one", () => {
    const french = (message: string) => (text: string) => text.replace("the ", message)
    expect(translated("the {name}", "fr", "en", french("l'"))).toBe("l''{name}")
    expect(translated("the name", "fr", "en", french("l'"))).toBe("l'name")
    expect(translated("the {n, plural, one {x} other {y}}", "fr", "en", french("l'#'"))).toBe(
      "{n, plural, =1 {l'#''x} one {l'#''y} many {l'#''y} other {l'#''y}}".replaceAll("l'#''", "l'''#'''")
    )
    expect(translated("the {x}", "fr", "en", french("{a}'{'"))).toBe("'{'a'}''{'''{x}")
  })

  const literal = fc
    .array(
      fc.constantFrom(
        "a",
        " ",
        "'",
        "''",
        "'{'",
        "'}'",
        "'{a}'",
        "it's",
        "#",
        "é",
        "👍",
        "|",
        "\n",
        "<",
        ">",
        "&",
        "%"
      ),
      { maxLength: 6 }
    )
    .map((pieces) => pieces.join(""))
  const argument = fc.constantFrom("{a}", "{b, number}", "{c, date, short}", "{d, number, ::percent}")
  const { message } = fc.letrec<{ message: string; select: string; plural: string; ordinal: string }>(
    (tie) => {
      const branch = (key: fc.Arbitrary<string>) =>
        fc.uniqueArray(fc.tuple(key, tie("message")), { maxLength: 3, selector: ([key]) => key })
      const withOther = (head: string, key: fc.Arbitrary<string>) =>
        fc
          .tuple(branch(key), tie("message"))
          .map(
            ([branches, other]) =>
              `{${head} ${[...branches, ["other", other]].map(([key, text]) => `${key} {${text}}`).join(" ")}}`
          )
      const plural = fc.constantFrom("zero", "one", "two", "few", "many", "=0", "=1", "=7")
      return {
        message: fc
          .array(
            fc.oneof(
              { depthSize: "small", withCrossShrink: true },
              literal,
              argument,
              tie("select"),
              tie("plural"),
              tie("ordinal")
            ),
            { maxLength: 3 }
          )
          .map((parts) => parts.join("")),
        select: withOther("s, select,", fc.constantFrom("x", "y")),
        plural: fc
          .constantFrom("n, plural,", "m, plural,", "n, plural, offset:1")
          .chain((head) => withOther(head, plural)),
        ordinal: withOther("n, selectordinal,", plural)
      }
    }
  )

  const isMessage = (text: string): boolean => {
    try {
      return parse(text, { ignoreTag: true }).length > 0
    } catch {
      return false
    }
  }

  const argumentsOf = (elements: ReadonlyArray<MessageFormatElement>): ReadonlyArray<string> =>
    elements.flatMap((element) => {
      switch (element.type) {
        case TYPE.literal:
        case TYPE.pound:
          return []
        case TYPE.plural:
        case TYPE.select:
          return [element.value, ...Object.values(element.options).flatMap(({ value }) => argumentsOf(value))]
        default:
          return [element.value]
      }
    })

  it("means the same for all numbers if nothing was translated", async () => {
    const known = ["a", "b", "c", "d", "s", "n", "m"]
    let seen = 0
    await assertReaching(
      fc.property(
        message,
        fc.constantFrom("x", "y", "z"),
        fc.constantFrom("en", "ru", "ar", "fr"),
        (text, s, language) => {
          // A quotation that ends elsewhere can make an argument of what was a text.
          fc.pre(
            isMessage(text) &&
              argumentsOf(parse(text, { ignoreTag: true })).every((name) => known.includes(name))
          )
          const same = translated(text, language, language)
          if (same === undefined) return
          seen++
          const [before, after] = [formatter(text, language), formatter(same, language)]
          for (const n of [0, 1, 2, 3, 7, 11, 21, 102, 1_000_000]) {
            const values = { a: "A'{", b: 12.5, c: 0, d: 0.5, s, n, m: (n * 7) % 23 }
            expect(after(values)).toBe(before(values))
          }
        }
      ),
      runs(400),
      () => expect(seen).toBeGreaterThan(10)
    )
  })

  it("parses as a message with the same arguments, whatever is translated", () => {
    fc.assert(
      fc.property(
        message,
        fc.array(fc.constantFrom("'", "{", "}", "#", "x", "''", "'{", "é "), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("en", "ru", "ja", "pl"),
        (text, words, language) => {
          fc.pre(isMessage(text))
          const changed = translated(text, language, "en", () => words.join(""))
          if (changed === undefined) return
          const names = new Set(argumentsOf(parse(text, { ignoreTag: true })))
          for (const name of argumentsOf(parse(changed, { ignoreTag: true }))) expect(names).toContain(name)
        }
      ),
      { numRuns: runs(400) }
    )
  })

  it("has the same arguments of the same types as its source", () => {
    for (const [text, language] of [
      ["{n, plural, one {# a {x}} other {# b {x}}} {d, date, ::yMMMd} {p, number, ::currency/EUR}", "pl"],
      ["{g, select, a {{x}} other {{y}}}", "de"]
    ] as const) {
      expect(isStructurallySame(parse(text), parse(translated(text, language)!)).success).toBe(true)
    }
  })

  it("in another language has for each number the branch that its source has, if that names no number", () => {
    const text = "{n, plural, =0 {none} one {a file} other {files}}"
    for (const language of ["ru", "fr", "ar", "ja", "pl", "lt", "cy", "lv", "he", "sl", "es"]) {
      const before = formatter(text, "en")
      const after = formatter(translated(text, language)!, language)
      for (let n = 0; n < 130; n++) expect(after({ n })).toBe(before({ n }))
    }
  })
})

describe("invalid messages, and oversized ones", () => {
  it.each([
    "{",
    "}{",
    "{a",
    "{}",
    "{a b}",
    "{n, plural, one {x}}",
    "{n, plural, other}",
    "{n, unknown}",
    "{n, plural, one {x} one {y} other {z}}",
    "'<b>' {x}",
    "{n, plural, other {x}",
    "{".repeat(1_000_000),
    "{a, select, other {".repeat(100_000),
    "{a, select, other {".repeat(3000) + "}}".repeat(3000),
    Array.from({ length: 20_000 }, (_, index) => `{a${index}, select, other {x}}`).join(""),
    Array.from({ length: 8 }, (_, index) => `{a${index}, select, a {x} b {y} other {z}}`).join(""),
    `{a, select, ${Array.from({ length: 20_000 }, (_, index) => `k${index} {x}`).join(" ")} other {y}}`
  ])("is left to others, soon: %#", (text) => {
    const used = cpuTime.start()
    expect(parsed(text)).toBeUndefined()
    expect(used()).toBeLessThan(3000)
  })

  it("takes hostile names of branches and arguments as names", () => {
    const text = "{constructor, select, __proto__ {a} toString {b} other {c {__proto__}}}"
    expect(translated(text)).toBe(text)
    expect(translated("{hasOwnProperty, plural, other {#}}", "de")).toBe(
      "{hasOwnProperty, plural, one {#} other {#}}"
    )
  })

  it("keeps lone surrogates and marks of direction", () => {
    const text = "\u200f{n, plural, one {\ud83d #} other {\u202b# \udc4d\u202c}}\u200f"
    const message = parsed(text)!
    expect(translated(text)).toBe(
      "{n, plural, one {\u200f\ud83d #\u200f} other {\u200f\u202b# \udc4d\u202c\u200f}}"
    )
    expect(message.sentences satisfies MessageFormat.Message["sentences"]).toHaveLength(2)
  })
})
