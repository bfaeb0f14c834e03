/** The entries of a dictionary: every rule, the formats, and that both agree. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Api from "effect-translate/api"
import { GlossaryCsv, GlossaryEntries } from "effect-translate/glossaries"
import * as fc from "fast-check"
import { runs } from "../support/long.js"

const { check, decodeTsv, encodeTsv, fromTerms } = GlossaryEntries
const { decode: decodeCsv, encode: encodeCsv } = GlossaryCsv

/** Line, field and rule of each problem. */
const broken = (...terms: ReadonlyArray<readonly [string, string]>) =>
  check(fromTerms(terms)).map(({ field, line, rule }) => [line, field, rule])

const problemsOf = <A>(result: Either.Either<A, GlossaryEntries.GlossaryEntriesError>) =>
  Either.match(result, {
    onLeft: ({ problems }) => problems.map(({ line, rule }) => [line, rule]),
    onRight: () => []
  })

describe("content rules for entries", () => {
  it('"Duplicate source entries are rejected": each names the first line', () => {
    const problems = check(
      fromTerms([
        ["a", "1"],
        ["b", "2"],
        ["a", "3"],
        ["A", "4"],
        ["a", "1"]
      ])
    )
    expect(problems).toEqual([
      {
        line: 3,
        field: "source",
        rule: "DuplicateSource",
        firstLine: 1,
        value: "a",
        message: 'the source "a" is on line 1 already: keep one of the two entries.'
      },
      {
        line: 5,
        field: "source",
        rule: "DuplicateSource",
        firstLine: 1,
        value: "a",
        message: 'the source "a" is on line 1 already: keep one of the two entries.'
      }
    ])
  })

  it('"Source and target must both be non-empty"', () => {
    expect(broken(["", "a"], ["b", ""], ["", ""])).toEqual([
      [1, "source", "Empty"],
      [2, "target", "Empty"],
      [3, "source", "Empty"],
      [3, "target", "Empty"]
    ])
  })

  it('"No C0 or C1 control characters (including tab and line feed) and no Unicode newline in source or target"', () => {
    const controls = [
      ...Array.from({ length: 0x20 }, (_, code) => code),
      ...Array.from({ length: 0x20 }, (_, code) => 0x80 + code),
      0x2028,
      0x2029
    ]
    for (const code of controls) {
      const phrase = `a${String.fromCharCode(code)}b`
      expect(broken([phrase, "x"], ["y", phrase]), code.toString(16)).toEqual([
        [1, "source", "ControlCharacter"],
        [2, "target", "ControlCharacter"]
      ])
    }
    expect(broken(["a\u007Fb", "a\u00A0b"], ["a\u200Bb", "a\uFEFFb"])).toEqual([])
  })

  it('"No leading or trailing Unicode whitespace in source or target"', () => {
    const spaces = [0x20, 0xa0, 0x1680, 0x2000, 0x2003, 0x200a, 0x202f, 0x205f, 0x3000]
    for (const code of spaces) {
      const space = String.fromCharCode(code)
      expect(broken([`${space}a`, "x"], ["y", `a${space}`], [`a${space}b`, "z"]), code.toString(16)).toEqual([
        [1, "source", "OuterWhitespace"],
        [2, "target", "OuterWhitespace"]
      ])
    }
  })

  it("a phrase may begin or end with a byte order mark, and is empty if it has nothing else", () => {
    expect(broken(["\uFEFFHello", "x"], ["y", "z\uFEFF"])).toEqual([])
    expect(broken(["\uFEFF", "x"], ["y", "\uFEFF\uFEFF"])).toEqual([
      [1, "source", "Empty"],
      [2, "target", "Empty"]
    ])
    const entries = fromTerms([["\uFEFFHello", "hallo"]])
    for (const encode of [encodeTsv, encodeCsv]) {
      const decode =
        encode === encodeTsv ? decodeTsv : (text: string) => Either.map(decodeCsv(text), (_) => _.entries)
      expect(Either.flatMap(encode(entries), decode)).toEqual(Either.right(entries))
    }
    expect(Schema.encodeSync(GlossaryEntries.Tsv)(entries)).toBe("\uFEFFHello\thallo")
    expect(Schema.decodeSync(GlossaryEntries.Tsv)("\uFEFFHello\thallo")).toEqual(entries)
  })

  it('"each source phrase, each target phrase": "1024 UTF-8 bytes"', () => {
    expect(broken(["a".repeat(1024), "é".repeat(512)], ["世".repeat(341), "😀".repeat(256)])).toEqual([])
    expect(broken(["a".repeat(1025), "é".repeat(513)], ["世".repeat(342), `${"😀".repeat(256)}a`])).toEqual([
      [1, "source", "PhraseTooLong"],
      [1, "target", "PhraseTooLong"],
      [2, "source", "PhraseTooLong"],
      [2, "target", "PhraseTooLong"]
    ])
    expect(check(fromTerms([["世".repeat(342), "x"]]))[0]?.message).toBe(
      `the source "${"世".repeat(19)}…" takes 1026 bytes, 1024 are allowed: shorten it.`
    )
  })

  it("are told all at once, and no phrase in full", () => {
    const secret = `${"s".repeat(30)}ecret`
    const error = Either.getOrThrow(
      Either.flip(
        encodeTsv(
          fromTerms([
            [` ${secret}`, ""],
            ["ok", "fine"],
            [secret, `${secret}\t`]
          ])
        )
      )
    )
    expect(GlossaryEntries.isGlossaryEntriesError(error)).toBe(true)
    expect(error.message).toBe(
      [
        "The entries can't be used:",
        `Line 1: the source " ${"s".repeat(18)}…" begins or ends with whitespace: trim it.`,
        "Line 1: the target is empty: fill it in, or remove the entry.",
        `Line 3: the target "${"s".repeat(19)}…" holds a control character, such as a tab, or a line break: replace it by a space.`,
        `Line 3: the target "${"s".repeat(19)}…" begins or ends with whitespace: trim it.`
      ].join("\n")
    )
    expect(JSON.stringify(error)).not.toContain("secret")
  })

  it("that very many entries break make a short message, and a full list", () => {
    const entries = fromTerms(Array.from({ length: 600 }, (_, index) => [`${index}`, ""] as const))
    const { message, problems } = Either.getOrThrow(Either.flip(encodeTsv(entries)))
    expect(problems.length).toBe(600)
    expect(message.split("\n").length).toBe(22)
    expect(message.split("\n").at(-1)).toBe('And 580 more: see "problems".')
  })

  it("refuse half a character, which no request can carry", () => {
    expect(broken(["\ud83d", "x"], ["y", "a\ude00b"])).toEqual([
      [1, "source", "HalfCharacter"],
      [2, "target", "HalfCharacter"]
    ])
  })
})

describe("TSV", () => {
  it("is a source, a tab and a target on each line, without quotes", () => {
    expect(
      encodeTsv(
        fromTerms(
          new Map([
            ['say "hi"', "a, b"],
            ["constructor", "Konstruktor"]
          ])
        )
      )
    ).toEqual(Either.right('say "hi"\ta, b\nconstructor\tKonstruktor'))
    expect(decodeTsv('\uFEFF"say"\tsagen\r\n\r\n__proto__\tb\rx\ty\n')).toEqual(
      Either.right(
        fromTerms([
          ['"say"', "sagen"],
          ["__proto__", "b"],
          ["x", "y"]
        ])
      )
    )
  })

  it("tells all that is wrong by the lines of the text", () => {
    expect(problemsOf(decodeTsv("a\tb\n\nc\n d\te\n\ta\tb\na\tf"))).toEqual([
      [3, "Columns"],
      [4, "OuterWhitespace"],
      [5, "Columns"],
      [6, "DuplicateSource"]
    ])
  })
})

describe("CSV", () => {
  const decoded = (text: string, pair?: GlossaryEntries.LanguagePair) =>
    Either.getOrThrow(decodeCsv(text, pair))
  const enDe = { sourceLang: "en-US", targetLang: "de" }

  it('"a field containing a double quote or a comma is enclosed in double quotes; a double quote inside an enclosed field is escaped by doubling it"', () => {
    const entries = fromTerms([
      ['say "hi"', "a, b"],
      ["plain", "schlicht"]
    ])
    expect(encodeCsv(entries)).toEqual(Either.right('"say ""hi""","a, b"\nplain,schlicht'))
    expect(decoded('"say ""hi""","a, b"\nplain,schlicht')).toEqual({ entries, ignored: 0 })
  })

  it('"source and target language codes may follow the two phrases; if they do not match the dictionary\'s language pair, the entry is ignored"', () => {
    const text = 'a,1,en,de\r\nb,2,EN-gb,DE-ch\r\nc,3,de,en\r\n"d","4",fr,de\r\ne,5\r\nf,6,,\r\n'
    expect(decoded(text, enDe)).toEqual({
      entries: fromTerms([
        ["a", "1"],
        ["b", "2"],
        ["e", "5"],
        ["f", "6"]
      ]),
      ignored: 2
    })
    expect(decoded(text).entries.length).toBe(6)
    expect(decoded(text).ignored).toBe(0)
  })

  it("may hold the same source in a row that is ignored", () => {
    expect(decoded("a,1,en,de\na,2,en,fr", enDe)).toEqual({ entries: fromTerms([["a", "1"]]), ignored: 1 })
  })

  it("tells all that is wrong by the lines of the text", () => {
    expect(problemsOf(decodeCsv('a,b\n"c\nd",e\n\nf\n"g"h,i\na,j\nk,l,en\n"m,n'))).toEqual([
      [2, "ControlCharacter"],
      [5, "Columns"],
      [6, "Quotes"]
    ])
    expect(problemsOf(decodeCsv("a,b\nk,l,en\na,x\nm,n,o,p,q"))).toEqual([
      [2, "Columns"],
      [3, "DuplicateSource"],
      [4, "Columns"]
    ])
    expect(problemsOf(decodeCsv('a,b\nc,"d'))).toEqual([[2, "Quotes"]])
  })
})

describe("the entries of a request and of an answer", () => {
  it("must obey all rules to be sent; each broken one is a violation that names the line", () => {
    const body = Schema.Struct({ entries: GlossaryEntries.Tsv })
    const refused = Schema.encodeEither(body)({
      entries: fromTerms([
        ["a", ""],
        ["a", "b "]
      ])
    })
    const violations = Either.match(refused, {
      onLeft: ({ issue }: ParseResult.ParseError) => Api.Violation.fromIssue(issue),
      onRight: () => []
    })
    expect(violations).toEqual([
      { field: "entries", rule: "line 1: the target is empty: fill it in, or remove the entry" },
      { field: "entries", rule: 'line 2: the target "b " begins or ends with whitespace: trim it' },
      {
        field: "entries",
        rule: 'line 2: the source "a" is on line 1 already: keep one of the two entries'
      }
    ])
  })

  it("are read whatever the service sends", () => {
    expect(Schema.decodeSync(GlossaryEntries.Tsv)(' a\tb\n a\tc \n"x"\t"y"\tz\n\nalone')).toEqual(
      fromTerms([
        [" a", "b"],
        [" a", "c "],
        ['"x"', '"y"'],
        ["alone", ""]
      ])
    )
    expect(Schema.decodeSync(GlossaryEntries.Tsv)("")).toEqual([])
  })
})

describe("properties", () => {
  /** Phrases that formats and objects stumble over; most are valid. */
  const phrase = fc.oneof(
    fc.constantFrom(
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
      '"',
      '""',
      '","',
      "a,b",
      '"quoted"',
      "=1+1",
      "שלום עולם",
      "مرحبا",
      "👩‍👩‍👧‍👦",
      "e\u0301",
      "a\u00A0b",
      "a  b",
      "#comment",
      "0",
      "null"
    ),
    fc.stringOf(fc.constantFrom('"', ",", " ", "\t", "\r", "\n", "\u2028", "\uFEFF", "a", "é", "😀", "ش"), {
      maxLength: 8
    }),
    fc.fullUnicodeString({ maxLength: 12 }),
    fc.string16bits({ maxLength: 4 }),
    fc.integer({ min: 200, max: 600 }).map((length) => "é".repeat(length))
  )
  const anyEntries = fc.array(fc.tuple(phrase, phrase), { maxLength: 12 }).map(fromTerms)

  /** The content rules as the specification words them, without the code under test. */
  const isValid = (entries: GlossaryEntries.GlossaryEntries): boolean =>
    new Set(entries.map(({ source }) => source)).size === entries.length &&
    entries
      .flatMap(({ source, target }) => [source, target])
      .every(
        (text) =>
          !/^\uFEFF*$/.test(text) &&
          !/^\p{White_Space}|\p{White_Space}$/u.test(text) &&
          !/[\u0000-\u001f\u0080-\u009f\u2028\u2029]/.test(text) &&
          Buffer.byteLength(text) <= 1024 &&
          Buffer.from(text).toString() === text
      )

  const validEntries = anyEntries.map((entries) =>
    Array.from(
      new Map(entries.filter((entry) => isValid([entry])).map((entry) => [entry.source, entry])).values()
    )
  )

  it("check accepts exactly the entries that obey the rules and can be encoded", () => {
    fc.assert(
      fc.property(fc.oneof(anyEntries, validEntries), (entries) => {
        const valid = isValid(entries)
        expect(check(entries).length === 0).toBe(valid)
        expect(Either.isRight(encodeTsv(entries))).toBe(valid)
        expect(Either.isRight(encodeCsv(entries))).toBe(valid)
        expect(Either.isRight(Schema.encodeEither(GlossaryEntries.Tsv)(entries))).toBe(valid)
      }),
      { numRuns: runs(500) }
    )
  })

  it("valid entries come back from TSV and CSV as they were, whatever ends the lines", () => {
    fc.assert(
      fc.property(validEntries, fc.constantFrom("\n", "\r\n", "\r"), (entries, newline) => {
        const tsv = Either.getOrThrow(encodeTsv(entries))
        const csv = Either.getOrThrow(encodeCsv(entries))
        const lines = (text: string) => text.replaceAll("\n", newline)
        expect(decodeTsv(lines(tsv))).toEqual(Either.right(entries))
        expect(decodeCsv(`${lines(csv)}${newline}`)).toEqual(Either.right({ entries, ignored: 0 }))
        const sent = Schema.encodeSync(GlossaryEntries.Tsv)(entries)
        expect(Schema.decodeSync(GlossaryEntries.Tsv)(sent)).toEqual(entries)
      }),
      { numRuns: runs(500) }
    )
  })

  it("a text that decodes holds only valid entries", () => {
    const text = fc.stringOf(fc.constantFrom('"', ",", "\t", "\n", "\r", " ", "a", "b", "c"), {
      maxLength: 24
    })
    fc.assert(
      fc.property(text, (text) => {
        const entries = [decodeTsv(text), Either.map(decodeCsv(text), ({ entries }) => entries)]
        for (const result of entries)
          expect(Either.match(result, { onLeft: () => true, onRight: isValid })).toBe(true)
      }),
      { numRuns: runs(500) }
    )
  })
})
