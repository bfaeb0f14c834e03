import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as Csv from "../../src/format/Csv.js"
import { runs } from "../support/long.js"
import { bytes, collect, concat, text, untilError } from "./support.js"

const Product = Schema.Struct({ sku: Schema.String, price: Schema.NumberFromString })

const records = (input: string | Uint8Array, options?: Csv.DecodeOptions, sizes?: ReadonlyArray<number>) =>
  collect(bytes(input, sizes).pipe(Csv.decodeRecords(options)))

const failure = (input: string | Uint8Array, options?: Csv.DecodeOptions) =>
  untilError(bytes(input, [3]).pipe(Csv.decodeRecords(options)))

const encoded = (rows: ReadonlyArray<Record<string, string>>, options?: Csv.EncodeOptions) =>
  text(Stream.fromIterable(rows).pipe(Csv.encodeRecords(options)))

describe("Csv.decodeRecords", () => {
  it.effect("keys each record by the header", () =>
    Effect.gen(function* () {
      expect(yield* records("sku,title\n1,Cup\n2,Pot\n")).toStrictEqual([
        { sku: "1", title: "Cup" },
        { sku: "2", title: "Pot" }
      ])
    })
  )

  it.effect("reads quotes, doubled quotes, delimiters and line breaks inside quoted fields", () =>
    Effect.gen(function* () {
      const input = 'a,b\n"say ""hi""","x,y"\n"1\n2","3\r\n4"\n'
      for (const size of [1, 2, 3, 5, 100]) {
        expect(yield* records(input, undefined, [size])).toStrictEqual([
          { a: 'say "hi"', b: "x,y" },
          { a: "1\n2", b: "3\r\n4" }
        ])
      }
    })
  )

  it.effect("reads LF, CRLF, CR, a mix of LF and CRLF, and the CR CR LF of broken writers", () =>
    Effect.gen(function* () {
      const rows = [
        { a: "1", b: "x" },
        { a: "2", b: "y\r" },
        { a: "3", b: "" },
        { a: "4", b: 'q"' }
      ]
      const file = (...newlines: ReadonlyArray<string>) =>
        ["a,b", "1,x", '2,"y\r"', "3,", '4,q"']
          .map((line, i) => line + newlines[i % newlines.length])
          .join("")
      for (const newlines of [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\r\n", "\n"], ["\r\r\n"]]) {
        for (const size of [1, 2, 3, 7, 100]) {
          expect(yield* records(file(...newlines), undefined, [size])).toStrictEqual(rows)
        }
      }
    })
  )

  it.effect("refuses lines that end with CR here and with CRLF there", () =>
    Effect.gen(function* () {
      const { error } = yield* failure("a\r1\r\n2\r\n")
      expect(error).toMatchObject({ line: 3, message: expect.stringContaining("CRLF") })
    })
  )

  it.effect("reads a last line without a line break, or with half of a CRLF", () =>
    Effect.gen(function* () {
      for (const end of ["", "\n", "\r\n", "\r"]) {
        expect(yield* records(`a,b\r\n1,2\r\n3,4${end}`)).toStrictEqual([
          { a: "1", b: "2" },
          { a: "3", b: "4" }
        ])
        expect(yield* records(`a,b\n1,2\n3,"4"${end}`, undefined, [1])).toStrictEqual([
          { a: "1", b: "2" },
          { a: "3", b: "4" }
        ])
      }
    })
  )

  it.effect("skips empty lines, also in front of the header, and keeps a quoted empty field", () =>
    Effect.gen(function* () {
      expect(yield* records('\n\r\na\n\n""\n\r\nx\n\n')).toStrictEqual([{ a: "" }, { a: "x" }])
    })
  )

  it.effect("strips a byte order mark at the start and nowhere else", () =>
    Effect.gen(function* () {
      for (const size of [1, 2, 100]) {
        expect(yield* records("\uFEFFa,b\n\uFEFF1,2\n", undefined, [size])).toStrictEqual([
          { a: "\uFEFF1", b: "2" }
        ])
      }
    })
  )

  it.effect("joins characters that are split between chunks", () =>
    Effect.gen(function* () {
      expect(yield* records("a,b\n日本語,👩‍👩‍👧 é\n", undefined, [1])).toStrictEqual([
        { a: "日本語", b: "👩‍👩‍👧 é" }
      ])
    })
  )

  it.effect("takes delimiters of one or more characters", () =>
    Effect.gen(function* () {
      for (const delimiter of ["\t", ";", "|", "||", "::", " "]) {
        const input = `a${delimiter}b\n1,5${delimiter}"2${delimiter}2"\n`
        expect(yield* records(input, { delimiter }, [1])).toStrictEqual([{ a: "1,5", b: `2${delimiter}2` }])
      }
    })
  )

  it.effect("takes names such as __proto__, constructor and the empty one for ordinary columns", () =>
    Effect.gen(function* () {
      const [row] = yield* records(",__proto__,constructor,toString\n1,2,3,4\n")
      expect(Object.entries(row!)).toStrictEqual([
        ["", "1"],
        ["__proto__", "2"],
        ["constructor", "3"],
        ["toString", "4"]
      ])
    })
  )

  it.effect("gives no rows for a header alone", () =>
    Effect.gen(function* () {
      for (const input of ["a,b\n", "a,b", "a,b\r\n", "a,b\r"])
        expect(yield* records(input)).toStrictEqual([])
    })
  )

  it.effect("emits a row as soon as its line has ended", () =>
    Effect.gen(function* () {
      const live = Stream.concat(bytes("a\none\nt", [1]), Stream.concat(bytes("wo\n"), Stream.never))
      const rows = yield* live.pipe(Csv.decodeRecords(), Stream.take(2), collect)
      expect(rows).toStrictEqual([{ a: "one" }, { a: "two" }])
    })
  )

  it.effect("passes on failures of its source", () =>
    Effect.gen(function* () {
      const source = Stream.concat(bytes("a\n1\n2"), Stream.fail("broken disk" as const))
      const { values, error } = yield* untilError(source.pipe(Csv.decodeRecords()))
      expect(values).toStrictEqual([{ a: "1" }])
      expect(error).toBe("broken disk")
    })
  )
})

describe("Errors of Csv.decodeRecords", () => {
  it.effect("name the line where a record with too few or too many fields begins", () =>
    Effect.gen(function* () {
      const start = 'a,b\n"1\n1",2\n\n\r\n3,4\n'
      for (const [bad, fields] of [
        ["secret", 1],
        ['"secret\n\n",x,y', 3]
      ] as const) {
        const { values, error } = yield* failure(`${start}${bad}\n5,6\n`)
        expect(values).toHaveLength(2)
        expect(Csv.isCsvError(error)).toBe(true)
        expect(error).toMatchObject({ _tag: "CsvError", line: 7 })
        expect(error.message).toContain(`Line 7: the record has ${fields} fields, the header has 2`)
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("count lines as they are ended, by CRLF and CR too", () =>
    Effect.gen(function* () {
      for (const newline of ["\n", "\r\n", "\r"]) {
        const { error } = yield* failure(["a,b", '"1', '1",2', "", "3", ""].join(newline))
        expect(error.line).toBe(5)
      }
    })
  )

  it.effect("name the line where a quoted field that is never closed begins", () =>
    Effect.gen(function* () {
      const { values, error } = yield* failure('a,b\n1,2\n3,"secret\n5,6\n7,8\n')
      expect(values).toStrictEqual([{ a: "1", b: "2" }])
      expect(error).toMatchObject({ line: 3, message: expect.stringContaining("never closed") })
      expect(error.message).not.toContain("secret")
    })
  )

  it.effect("name the line of a quoted field with text after its quote", () =>
    Effect.gen(function* () {
      const { error } = yield* failure('a,b\n1,2\n"se"cret,4\n')
      expect(error).toMatchObject({ line: 3, message: expect.stringContaining("double the quotes") })
    })
  )

  it.effect("name a column that the header has twice", () =>
    Effect.gen(function* () {
      const { error } = yield* failure("\na,b,a\n1,2,3\n")
      expect(error).toMatchObject({
        line: 2,
        column: "a",
        message: expect.stringContaining("more than once")
      })
    })
  )

  it.effect("say that there is no header", () =>
    Effect.gen(function* () {
      for (const input of ["", "\n\r\n", "\uFEFF", "\r"]) {
        const { error } = yield* failure(input)
        expect(error).toMatchObject({ line: 1, message: expect.stringContaining("no header") })
      }
    })
  )

  it.effect("name the line of bytes that are not UTF-8, wherever the chunks end", () =>
    Effect.gen(function* () {
      const encoder = new TextEncoder()
      for (const bad of [[0xff], [0xe2, 0x82, 0x41], [0xc3], [0xf0, 0x9f, 0x98]]) {
        const input = concat([
          encoder.encode('\uFEFFa,b\n1,€\n"\n'),
          encoder.encode("\u{1F600}"),
          new Uint8Array(bad)
        ])
        for (const size of [1, 2, 3, 4, 5, 6, 7, 100]) {
          for (const rest of ["", '",2\n3,4\n']) {
            const { values, error } = yield* untilError(
              bytes(concat([input, encoder.encode(rest)]), [size]).pipe(Csv.decodeRecords())
            )
            expect(values).toStrictEqual([{ a: "1", b: "€" }])
            expect(error).toMatchObject({ line: 4, message: expect.stringContaining("UTF-8") })
          }
        }
      }
    })
  )

  it.effect("refuse a delimiter that Papa Parse would replace by a comma", () =>
    Effect.gen(function* () {
      for (const delimiter of ["", "\n", "\r", '"', '|"', "\uFEFF"]) {
        const { error } = yield* failure("a\n1\n", { delimiter })
        expect(error.message).toContain("delimiter")
        const writing = yield* untilError(Stream.make({ a: "1" }).pipe(Csv.encodeRecords({ delimiter })))
        expect(writing.error.message).toContain("delimiter")
      }
    })
  )
})

describe("Csv.decode", () => {
  it.effect("decodes rows by a schema and drops columns it does not name", () =>
    Effect.gen(function* () {
      const rows = yield* collect(bytes("note,sku,price\nn,a,1.5\nm,b,2\n").pipe(Csv.decode(Product)))
      expect(rows).toStrictEqual([
        { sku: "a", price: 1.5 },
        { sku: "b", price: 2 }
      ])
    })
  )

  it.effect("takes schemas with optional fields, classes, records and effects", () =>
    Effect.gen(function* () {
      class Item extends Schema.Class<Item>("Item")({ sku: Schema.NonEmptyString }) {}
      class Currency extends Context.Tag("Currency")<Currency, string>() {}
      const Price = Schema.transformOrFail(Schema.String, Schema.String, {
        strict: true,
        decode: (value) =>
          Effect.map(Effect.zipLeft(Currency, Effect.yieldNow()), (unit) => `${value} ${unit}`),
        encode: (value) => ParseResult.succeed(value.split(" ")[0]!)
      })
      const input = () => bytes("sku,price\na,1\nb,2\n")
      const optional = Schema.Struct({ sku: Schema.String, title: Schema.optional(Schema.String) })
      expect(yield* collect(input().pipe(Csv.decode(optional)))).toStrictEqual([{ sku: "a" }, { sku: "b" }])
      expect(yield* collect(input().pipe(Csv.decode(Item)))).toStrictEqual([
        new Item({ sku: "a" }),
        new Item({ sku: "b" })
      ])
      const record = Schema.Record({ key: Schema.String, value: Schema.String })
      expect(yield* collect(input().pipe(Csv.decode(record)))).toStrictEqual([
        { sku: "a", price: "1" },
        { sku: "b", price: "2" }
      ])
      const priced = input().pipe(Csv.decode(Schema.Struct({ price: Price })), collect)
      expect(yield* Effect.provideService(priced, Currency, "EUR")).toStrictEqual([
        { price: "1 EUR" },
        { price: "2 EUR" }
      ])
    })
  )

  it.effect(
    "names line, column and the expected value, after the rows in front, and never prints the value",
    () =>
      Effect.gen(function* () {
        const input = 'sku,price\n"a\na",1\n\nb,secret\nc,3\n'
        for (const size of [1, 4, 100]) {
          const { values, error } = yield* untilError(bytes(input, [size]).pipe(Csv.decode(Product)))
          expect(values).toStrictEqual([{ sku: "a\na", price: 1 }])
          expect(error).toMatchObject({ line: 5, column: "price" })
          expect(error.message).toBe(
            'Line 5, column "price": expected NumberFromString: correct the value or the schema.'
          )
          expect(JSON.stringify(error)).not.toContain("secret")
        }
      })
  )

  it.effect("names the expected value without the schema's own messages, which may print the value", () =>
    Effect.gen(function* () {
      const leaky = Schema.String.pipe(
        Schema.maxLength(3, {
          message: ({ actual }) => `${actual} is too long`,
          description: "at most 3 characters"
        })
      )
      const check = <A, I extends string>(schema: Schema.Schema<A, I>, expected: string) =>
        Effect.gen(function* () {
          const Row = Schema.Struct({ a: schema })
          const { error } = yield* untilError(bytes("a\nsecret\n").pipe(Csv.decode(Row)))
          expect(error).toMatchObject({ line: 2, column: "a" })
          expect(error.message).toContain(`expected ${expected}`)
          expect(String(error)).not.toContain("secret")
        })
      yield* check(leaky, "at most 3 characters")
      yield* check(Schema.Literal("x", "y"), '"x" | "y"')
      yield* check(Schema.NumberFromString.pipe(Schema.int()), "NumberFromString")
      yield* check(Schema.Trimmed.pipe(Schema.length(3)), "a string 3 character(s) long")
      yield* check(Schema.parseJson(Schema.Struct({ a: Schema.Number })), "parseJson")
    })
  )

  it.effect("names the column, not the key inside its value, where a field holds JSON", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({ meta: Schema.parseJson(Schema.Struct({ size: Schema.Number })) })
      const { error } = yield* untilError(bytes("meta\n{}\n").pipe(Csv.decode(Row)))
      expect(error).toMatchObject({ line: 2, column: "meta", message: expect.stringContaining("a number") })
    })
  )

  it.effect("says which column the header lacks", () =>
    Effect.gen(function* () {
      const { error } = yield* untilError(bytes("sku;price\na;1\n").pipe(Csv.decode(Product)))
      expect(error).toMatchObject({ line: 2, column: "sku", message: expect.stringContaining("missing") })
    })
  )

  it.effect("names the line of a record of the wrong length behind good rows", () =>
    Effect.gen(function* () {
      const { values, error } = yield* untilError(bytes("sku,price\na,1\nb\n").pipe(Csv.decode(Product)))
      expect(values).toHaveLength(1)
      expect(error.line).toBe(3)
    })
  )
})

describe("The types of Csv", () => {
  it("refuse a schema that is not encoded as strings, and a column it has not", () => {
    // @ts-expect-error a CSV field is a string
    Csv.decode(Schema.Struct({ price: Schema.Number }))
    // @ts-expect-error a row is a record
    Csv.decode(Schema.String)
    // @ts-expect-error no such column
    Csv.encode(Product, { columns: ["prize"] })
  })
})

describe("Csv.encodeRecords", () => {
  it.effect("writes the header once, from the keys of the first record", () =>
    Effect.gen(function* () {
      const chunks = Stream.fromIterable([
        { a: "1", b: "x" },
        { b: "y", a: "2" }
      ]).pipe(Stream.rechunk(1))
      expect(yield* text(chunks.pipe(Csv.encodeRecords()))).toBe("a,b\n1,x\n2,y\n")
    })
  )

  it.effect("quotes only fields that need it", () =>
    Effect.gen(function* () {
      expect(yield* encoded([{ a: 'x"y', b: "1,2", c: "l\nm", d: " s", e: "plain text" }])).toBe(
        'a,b,c,d,e\n"x""y","1,2","l\nm"," s",plain text\n'
      )
    })
  )

  it.effect("writes other delimiters, CRLF and a byte order mark", () =>
    Effect.gen(function* () {
      expect(yield* encoded([{ a: "1", b: "2" }], { delimiter: ";", newline: "\r\n", bom: true })).toBe(
        "\uFEFFa;b\r\n1;2\r\n"
      )
    })
  )

  it.effect("writes the columns that are named, in that order", () =>
    Effect.gen(function* () {
      expect(yield* encoded([{ a: "1", b: "2", c: "3" }], { columns: ["c", "a"] })).toBe("c,a\n3,1\n")
    })
  )

  it.effect("are appended to a file without another header", () =>
    Effect.gen(function* () {
      const first = yield* encoded([{ a: "1", b: "2" }])
      const more = yield* encoded([{ a: "3", b: "4" }], { header: false })
      expect(first + more).toBe("a,b\n1,2\n3,4\n")
      expect(yield* encoded([], { columns: ["a"], header: false })).toBe("")
    })
  )

  it.effect("writes nothing for no records, or the header if the columns are named", () =>
    Effect.gen(function* () {
      expect(yield* encoded([])).toBe("")
      expect(yield* encoded([], { columns: ["a", "b"], bom: true })).toBe("\uFEFFa,b\n")
    })
  )

  it.effect("refuses a record that lacks a column or has one more, after the records in front", () =>
    Effect.gen(function* () {
      for (const [record, column] of [
        [{ a: "1" }, "b"],
        [{ a: "1", b: "2", c: "secret" }, "c"],
        [{ a: "1", c: "secret" }, "b"]
      ] as const) {
        const rows: ReadonlyArray<Record<string, string>> = [
          { a: "0", b: "0" },
          record as Record<string, string>
        ]
        const { values, error } = yield* untilError(Stream.fromIterable(rows).pipe(Csv.encodeRecords()))
        expect(new TextDecoder().decode(concat(values))).toBe("a,b\n0,0\n")
        expect(error).toMatchObject({ row: 2, column })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("refuses half of a surrogate pair instead of writing a replacement character", () =>
    Effect.gen(function* () {
      const { error } = yield* untilError(Stream.make({ a: "😀" }, { a: "\uD83D" }).pipe(Csv.encodeRecords()))
      expect(error).toMatchObject({ row: 2, column: "a", message: expect.stringContaining("surrogate") })
    })
  )

  it.effect("refuses a header without columns or with one column twice", () =>
    Effect.gen(function* () {
      for (const options of [{ columns: [] }, { columns: ["a", "a"] }]) {
        const { error } = yield* untilError(Stream.make({ a: "1" }).pipe(Csv.encodeRecords(options)))
        expect(error.message).toContain("header")
      }
      const { error } = yield* untilError(Stream.make({}).pipe(Csv.encodeRecords()))
      expect(error.message).toContain("no columns")
    })
  )
})

describe("Csv.encode", () => {
  it.effect("writes rows by a schema, in the order of its fields", () =>
    Effect.gen(function* () {
      const rows = Stream.make({ price: 1.5, sku: "a" }, { price: 2, sku: "b" })
      expect(yield* text(rows.pipe(Csv.encode(Product)))).toBe("sku,price\na,1.5\nb,2\n")
    })
  )

  it.effect("writes the header for a stream without rows", () =>
    Effect.gen(function* () {
      expect(yield* text(Stream.empty.pipe(Csv.encode(Product)))).toBe("sku,price\n")
    })
  )

  it.effect("writes an absent optional field as an empty one", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({ sku: Schema.String, title: Schema.optional(Schema.String) })
      const rows = Stream.make({ sku: "a" }, { sku: "b", title: "B" })
      expect(yield* text(rows.pipe(Csv.encode(Row)))).toBe("sku,title\na,\nb,B\n")
    })
  )

  it.effect("writes the columns that are picked", () =>
    Effect.gen(function* () {
      const rows = Stream.make({ sku: "a", price: 1 })
      expect(yield* text(rows.pipe(Csv.encode(Product, { columns: ["price"] })))).toBe("price\n1\n")
    })
  )

  it.effect("takes the columns of the first row where the schema has no fixed fields", () =>
    Effect.gen(function* () {
      const Row = Schema.Record({ key: Schema.String, value: Schema.NumberFromString })
      expect(yield* text(Stream.make({ a: 1, b: 2 }).pipe(Csv.encode(Row)))).toBe("a,b\n1,2\n")
      const { error } = yield* untilError(Stream.make({ a: 1 }, { b: 2 }).pipe(Csv.encode(Row)))
      expect(error.row).toBe(2)
    })
  )

  it.effect("names row, column and the expected value, and never prints the value", () =>
    Effect.gen(function* () {
      const Row = Schema.Struct({ sku: Schema.String.pipe(Schema.maxLength(3)) })
      const rows = Stream.make({ sku: "a" }, { sku: "b" }, { sku: "secret" }).pipe(Stream.rechunk(2))
      const { values, error } = yield* untilError(rows.pipe(Csv.encode(Row)))
      expect(new TextDecoder().decode(concat(values))).toBe("sku\na\nb\n")
      expect(error).toMatchObject({ row: 3, column: "sku", message: expect.stringContaining("at most 3") })
      expect(JSON.stringify(error)).not.toContain("secret")
    })
  )

  it.effect("joins with decode and other stages in one pipe, errors and all", () =>
    Effect.gen(function* () {
      const program = bytes("sku,price\na,1\n").pipe(
        Csv.decode(Product),
        Stream.map((row) => ({ ...row, price: row.price * 2 })),
        Csv.encode(Product),
        text,
        Effect.catchTag("CsvError", (error) => Effect.succeed(error.message))
      )
      expect(yield* program).toBe("sku,price\na,2\n")
    })
  )
})

describe("Rows that are written are read back", () => {
  const nasty = fc.oneof(
    fc.stringOf(
      fc.constantFrom('"', ",", ";", "\t", "|", ":", " ", "\r", "\n", "\uFEFF", "a", "é", "😀", "日"),
      {
        maxLength: 8
      }
    ),
    fc.fullUnicodeString({ maxLength: 12 })
  )
  const table = fc.uniqueArray(nasty, { minLength: 1, maxLength: 4 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(nasty, { minLength: columns.length, maxLength: columns.length }), {
        maxLength: 6
      })
    })
  )
  const options = fc.record({
    delimiter: fc.constantFrom(",", ";", "\t", "|", "||", "::", " ", "a", ", ", "日"),
    newline: fc.constantFrom("\n" as const, "\r\n" as const),
    bom: fc.boolean()
  })
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

  it.effect.prop(
    "whatever the texts, the delimiter, the line ends and the chunks are",
    [table, options, sizes, sizes],
    ([{ columns, rows }, options, chunks, sizes]) =>
      Effect.gen(function* () {
        const input = rows.map((fields) => {
          const row: Record<string, string> = Object.create(null)
          columns.forEach((column, i) => {
            row[column] = fields[i]!
          })
          return row
        })
        const pieces = yield* Stream.fromIterable(input).pipe(
          Stream.rechunk(chunks[0]!),
          Csv.encodeRecords({ ...options, columns }),
          collect
        )
        const output = yield* records(concat(pieces), options, sizes)
        expect(output.map((row) => columns.map((column) => row[column]))).toStrictEqual(rows)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "and any text is read the same in whatever chunks it comes",
    [fc.stringOf(fc.constantFrom('"', ",", "\r", "\n", " ", "a", "b"), { maxLength: 24 }), sizes],
    ([input, sizes]) =>
      Effect.gen(function* () {
        const run = (sizes: ReadonlyArray<number>) =>
          Effect.either(
            untilError(
              Stream.concat(bytes(`x\n${input}`, sizes).pipe(Csv.decodeRecords()), Stream.fail("end"))
            )
          )
        expect(yield* run(sizes)).toStrictEqual(yield* run([1000]))
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
