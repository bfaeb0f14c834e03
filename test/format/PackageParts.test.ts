/** Parts of packages that their documentation does not name, each by the one module that knows it: a version that changes them fails here. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as csvRows from "../../src/format/internal/csv/csvRows.js"
import { tokenize } from "../../src/format/internal/html/htmlTokens.js"
import * as columnWriter from "../../src/format/internal/parquet/columnWriter.js"
import * as pages from "../../src/format/internal/parquet/pages.js"
import { makeDecoder } from "../../src/internal/utf8.js"

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"))

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

const ofTexts = (values: ReadonlyArray<unknown>) =>
  values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value))

const codes = { uncompressed: 0, snappy: 1, lz4Raw: 7 }

describe("the writer of pages of hyparquet-writer", () => {
  const written = (isRequired: boolean, codec: number, texts: ReadonlyArray<string | undefined>) => {
    const writer = columnWriter.make({ name: "text", isRequired }, codec)
    for (const text of texts) writer.push(text)
    const { pages, ...rest } = writer.end()
    return { ...rest, pages: pages.map(hexOf) }
  }

  it("writes a header of Thrift, levels and plain values", () => {
    expect(written(false, codes.uncompressed, ["ab", undefined, "c"])).toEqual({
      codec: codes.uncompressed,
      values: 3,
      nulls: 1,
      bytes: 34,
      uncompressedBytes: 34,
      pages: [
        hexOf(bytesOf("1506 151a 151a 5c 1506 1502 1506 1500 1504 1500 0000 0305 02000000 6162 01000000 63"))
      ]
    })
  })

  it("compresses values by Snappy, and no levels", () => {
    expect(written(false, codes.snappy, ["ab".repeat(20), undefined])).toEqual({
      codec: codes.snappy,
      values: 2,
      nulls: 1,
      bytes: 34,
      uncompressedBytes: 67,
      pages: [
        hexOf(bytesOf("1506 155c 151a 5c 1504 1502 1504 1500 1504 1500 0000 0301 2c14 28000000 6162 960200"))
      ]
    })
  })
})

describe("the reader of pages of hyparquet", () => {
  const column = { name: "text", isRequired: false }
  const read = (page: Uint8Array, code: number, dictionary?: ReadonlyArray<unknown>) => {
    const { header, length } = pages.headerOf(page)
    const decoder = pages.decoderOf(column, pages.codecOf(code)!)
    return { header, values: pages.valuesOf(header, page.subarray(length), decoder, dictionary) }
  }
  const page = (code: number, texts: ReadonlyArray<string | undefined>) => {
    const writer = columnWriter.make(column, code)
    for (const text of texts) writer.push(text)
    return writer.end().pages[0]!
  }

  it("knows compressions by the numbers of the format", () => {
    const known = Array.from({ length: 9 }, (_, code) => {
      const codec = pages.codecOf(code)
      return codec && [codec.name, codec.decompress !== undefined]
    })
    expect(known).toEqual([
      ["UNCOMPRESSED", false],
      ["SNAPPY", true],
      ["GZIP", true],
      ["LZO", false],
      ["BROTLI", true],
      ["LZ4", true],
      ["ZSTD", true],
      ["LZ4_RAW", true],
      undefined
    ])
  })

  it("hands out bytes and nulls, with the fields of the header", () => {
    const { header, values } = read(page(codes.uncompressed, ["ab", undefined, "c"]), codes.uncompressed)
    expect(ofTexts(values)).toEqual(["ab", null, "c"])
    expect(header).toEqual({
      type: "DATA_PAGE_V2",
      compressed_page_size: 13,
      uncompressed_page_size: 13,
      data_page_header_v2: {
        num_values: 3,
        num_nulls: 1,
        num_rows: 3,
        encoding: "PLAIN",
        definition_levels_byte_length: 2,
        repetition_levels_byte_length: 0,
        is_compressed: true
      }
    })
  })

  it("decompresses as the header of a page says", () => {
    const text = "ab".repeat(20)
    expect(ofTexts(read(page(codes.snappy, [text, undefined]), codes.snappy).values)).toEqual([text, null])
  })

  it("looks values up in a dictionary, and leaves gaps for those that it lacks", () => {
    // RLE_DICTIONARY, a bit a value: 0, 1, 1
    const bytes = bytesOf("1506 150a 150a 5c 1506 1500 1506 1510 1504 1500 0000 0307 01 0306")
    expect(ofTexts(read(bytes, codes.uncompressed, ["a", "b"]).values)).toEqual(["a", "b", "b"])
    expect(read(bytes, codes.uncompressed, ["a"]).values).toEqual(["a", undefined, undefined])
  })

  it("throws where a header or a page ends early", () => {
    const whole = page(codes.uncompressed, ["ab", undefined])
    const { length } = pages.headerOf(whole)
    for (const end of [0, 1, length - 1]) expect(() => pages.headerOf(whole.subarray(0, end))).toThrow()
    expect(() => read(whole.slice(0, -1), codes.uncompressed)).toThrow()
  })
})

describe("the tokenizer of parse5", () => {
  const pieces = (text: string) =>
    tokenize(text).tokens.map(
      ({ attributes, end, kind, name, start }) =>
        [kind, name, text.slice(start, end), ...attributes.map((of) => text.slice(of.start, of.end))] as const
    )

  it("says where tags, attributes, comments and the type of the document are", () => {
    expect(pieces(`<!DOCTYPE html><P Class='a &amp; b' id=x hidden>1 < 2<!-- <b> --><br/></p >`)).toEqual([
      ["doctype", "", "<!DOCTYPE html>"],
      ["start", "p", `<P Class='a &amp; b' id=x hidden>`, "Class='a &amp; b'", "id=x", "hidden"],
      ["comment", "", "<!-- <b> -->"],
      ["start", "br", "<br/>"],
      ["end", "p", "</p >"]
    ])
    expect(tokenize("<p title='a &amp; b'>").tokens[0]!.attributes).toEqual([
      { name: "title", value: "a & b", start: 3, end: 20 }
    ])
  })

  it.each(["title", "textarea", "script", "style", "iframe", "xmp", "noembed", "noframes"])(
    "takes the content of %s for text once it is told so",
    (name) => {
      expect(pieces(`<${name}><b></${name}><i>`)).toEqual([
        ["start", name, `<${name}>`],
        ["end", name, `</${name}>`],
        ["start", "i", "<i>"]
      ])
    }
  )

  it("takes everything behind plaintext for text", () => {
    expect(pieces("<plaintext><b></plaintext>")).toEqual([["start", "plaintext", "<plaintext>"]])
  })

  it("reads CDATA where it is told that it is in a foreign element, and else a comment", () => {
    expect(pieces("<svg><![CDATA[<b>]]><title><b></title></svg><![CDATA[<i>]]>")).toEqual([
      ["start", "svg", "<svg>"],
      ["start", "title", "<title>"],
      ["start", "b", "<b>"],
      ["end", "title", "</title>"],
      ["end", "svg", "</svg>"],
      ["comment", "", "<![CDATA[<i>"]
    ])
  })

  it("tells which tags end foreign elements", () => {
    expect(pieces("<svg><g><p><title><b></title>")).toEqual([
      ["start", "svg", "<svg>"],
      ["start", "g", "<g>"],
      ["start", "p", "<p>"],
      ["start", "title", "<title>"],
      ["end", "title", "</title>"]
    ])
  })

  it.each([
    ["<p", "tag"],
    ["<!-- a", "comment"],
    ["<!DOCTYPE", "doctype"]
  ])("says that %s ends too early", (text, what) => {
    expect(tokenize(text).problem).toEqual({
      message: `the file ends inside a ${what}: see whether it is cut.`,
      offset: text.length
    })
  })
})

describe("the row parser of Papa Parse", () => {
  const read = (...pieces: ReadonlyArray<string>) => {
    const rows: Array<readonly [text: string, line: number, ...fields: ReadonlyArray<string>]> = []
    const add = ({ end, fields, line, start, text }: csvRows.Row) => {
      rows.push([text.slice(start, end), line, ...fields])
    }
    const reader = csvRows.makeRows(
      {
        delimiter: ",",
        onHeader: (header) => {
          add(header)
          return undefined
        },
        onRow: add,
        flush: (fault) => fault
      },
      makeDecoder({ keepsMark: true })
    )
    const faults = pieces.map((piece) => reader.push(Chunk.of(new TextEncoder().encode(piece))))
    return { rows, fault: [...faults, reader.end()].find((fault) => fault !== undefined) }
  }

  it("gives the end of each row, and leaves a row that may not have ended to the next piece", () => {
    expect(read('a,b\n"x\n', 'y","z ""q"""\n1', "2,3")).toEqual({
      rows: [
        ["a,b\n", 1, "a", "b"],
        ['"x\ny","z ""q"""\n', 2, "x\ny", 'z "q"'],
        ["12,3", 4, "12", "3"]
      ],
      fault: undefined
    })
  })

  it("stops at a row that is wrong, and tells quotes that stay open from others", () => {
    const { fault, rows } = read('a,b\n"x"y,z\n1,2\n')
    expect(rows).toEqual([["a,b\n", 1, "a", "b"]])
    expect(fault).toMatchObject({
      line: 2,
      message: expect.stringContaining("goes on after its closing quote")
    })
    expect(read('a,b\n"x,z\n').fault).toMatchObject({
      line: 2,
      message: expect.stringContaining("is never closed")
    })
  })
})
