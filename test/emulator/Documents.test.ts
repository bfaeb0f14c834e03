import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { ServiceKind } from "effect-translate"
import * as Api from "effect-translate/api"
import { Emulator, Fault, PseudoTranslation } from "effect-translate/emulator"
import * as files from "./documents.js"
import { meter, script, send, served } from "./support.js"

const { bytes, download, status, text, translated, unzip, upload } = files

const de = (said: string) => PseudoTranslation.translate(said, "de")

const run = <A, E>(
  effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof served>>>,
  options?: Emulator.NodeOptions
) => Effect.provide(effect, served(options))

const expectStandIn = (document: Uint8Array) => {
  const parts = unzip(document)
  expect(parts.names).toEqual(["[Content_Types].xml", "_rels/.rels", "word/document.xml"])
  expect(parts.texts("word/document.xml", "w:t")).toEqual([
    "The emulator converts no documents. This one stands in for the translation."
  ])
}

describe("the text inside", () => {
  it.effect("a text file: each line, its endings and a byte order mark as they were", () =>
    Effect.gen(function* () {
      const result = yield* translated("a.txt", bytes("\uFEFFHello\r\n\r\n  World {name}\nこんにちは"))
      expect(text(result)).toBe(`\uFEFF${de("Hello")}\r\n\r\n  ${de("World {name}")}\n${de("こんにちは")}`)
    }).pipe(run)
  )

  it.effect("a web page: tags, comments, scripts and entities stay, a paragraph is marked once", () =>
    Effect.gen(function* () {
      const page = (first: string, amid: string, rest: string, title: string, alt: string) =>
        `<!DOCTYPE html>\n<html><head><title>${title}</title><style>p > a { color: red }</style>
<script>if (a < b) alert("<p>no</p>")</script></head><body><!-- not <b>this</b> -->
<p class='x > y'>${first}<b>${amid}</b>${rest}</p><img alt="${alt}"/><br></body></html>`
      const result = yield* translated(
        "a.HTML",
        bytes(page("Hello ", "big", " on &amp; on < on", "On", "map"))
      )
      expect(text(result)).toBe(page("[de] Héllö ", "bîg", " öñ &amp; öñ < öñ", "[de] Öñ", de("map")))
      expect((yield* meter).characters).toBe("Onhellobigon &amp; on < onmap".length)
    }).pipe(run)
  )

  it.effect("subtitles: numbers and times stay, a sentence is marked once", () =>
    Effect.gen(function* () {
      const cues = (first: string, third: string) =>
        `1\r\n00:00:01,000 --> 00:00:02,500\r\n${first}\r\n\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000 X1:1\r\n${third}\r\n`
      const result = yield* translated("a.srt", bytes(cues("Hello\r\n<i>you</i>", "1984")))
      expect(text(result)).toBe(cues(`${de("Hello")} <i>ýöû</i>`, de("1984")))
    }).pipe(run)
  )

  it.effect.each(["a.xlf", "a.xliff"])("%s: fills the targets, sources and codes stay", (name) =>
    Effect.gen(function* () {
      const source = files.xliff(
        `<unit id="1"><originalData><data id="d">code</data></originalData><segment><source>Hello <pc id="1">big <ph id="2"/>one</pc></source></segment><ignorable><source> </source></ignorable>
<segment state="initial"><source xml:space="preserve">Bye </source><target>old</target></segment></unit>
<unit id="2" translate="no"><segment><source>Brand</source></segment></unit>
<unit id="3"><segment><source>The <mrk id="m" translate="no">Brand</mrk></source></segment></unit>`
      )
      const result = files.xml(yield* translated(name, source, { target_lang: "pt-br" }))
      expect(files.textsOf(result, "source")).toEqual(files.textsOf(files.xml(source), "source"))
      expect(files.textsOf(result, "target")).toEqual([
        "[pt-BR] Héllö bîg öñé",
        "[pt-BR] Býé ",
        "[pt-BR] Thé Brand"
      ])
      expect(files.textsOf(result, "data")).toEqual(["code"])
      expect(result.getElementsByTagName("ph")).toHaveLength(2)
      expect(result.documentElement!.getAttribute("trgLang")).toBe("pt-BR")
      const [first] = Array.from(result.getElementsByTagName("segment"))
      expect(first!.getAttribute("state")).toBe("translated")
    }).pipe(run)
  )

  it.effect.each(["a.docx", "a.pptx", "a.xlsx"])("%s comes back unchanged, and costs nothing", (name) =>
    Effect.gen(function* () {
      expect(yield* translated(name, files.files[name]!)).toEqual(files.files[name])
      expect((yield* meter).characters).toBe(0)
    }).pipe(run)
  )

  it.effect("doc (output becomes docx): a docx that says that it stands in", () =>
    Effect.gen(function* () {
      expectStandIn(yield* translated("old.doc", files.doc))
      expect((yield* meter).characters).toBe(0)
    }).pipe(run)
  )

  it.effect("a pdf may be converted to docx; else it comes back unchanged, and so do images", () =>
    Effect.gen(function* () {
      expectStandIn(yield* translated("a.pdf", files.pdf, { output_format: "docx" }))
      for (const name of ["a.pdf", "a.png", "a.jpg", "a.jpeg"]) {
        expect(yield* translated(name, files.files[name]!)).toEqual(files.files[name])
      }
      expect((yield* meter).characters).toBe(0)
    }).pipe(run)
  )

  it.effect("every supported input type is taken, told by its extension in any casing", () =>
    Effect.gen(function* () {
      expect(Object.keys(files.files).map(Api.Document.extension).sort()).toEqual(
        [...ServiceKind.specification.documentTypes].sort()
      )
      for (const [name, content] of Object.entries(files.files)) {
        const { json } = yield* upload(name.toUpperCase(), content)
        expect((yield* status(json)).json.status).toBe("done")
      }
    }).pipe(run)
  )
})

describe("broken files", () => {
  it.effect.each([
    ["a.txt", new Uint8Array([0x48, 0xff]), /UTF-8/],
    ["a.html", new Uint8Array([0x3c, 0xff]), /UTF-8/],
    ["a.srt", bytes("1\nnever\nHello\n"), /line 2: there are no times/],
    ["a.srt", bytes("Hello\n"), /line 1: there is text outside of a cue/],
    ["a.xlf", bytes(`<xliff version="2.0"`), /line 1/],
    ["a.xliff", bytes(`<xliff version="1.2"/>`), /no XLIFF 2\.1/],
    ["a.docx", bytes("secret"), /no docx: it does not begin like one/],
    ["a.pptx", bytes("secret"), /no pptx/],
    ["a.xlsx", bytes("secret"), /no xlsx/],
    ["a.doc", bytes("secret"), /no doc/],
    ["a.pdf", bytes("secret"), /no pdf/],
    ["a.png", files.jpeg, /no png/],
    ["a.jpg", files.png, /no jpg/]
  ] as const)(
    "%s (%#) ends as an error with a message, bills nothing, and can't be downloaded",
    ([name, content, message]) =>
      Effect.gen(function* () {
        const { json: handle } = yield* upload(name, content)
        const { json } = yield* status(handle)
        expect(json).toEqual({
          document_id: handle.document_id,
          status: "error",
          error_message: expect.stringMatching(message)
        })
        expect(json.error_message).not.toContain("secret")
        expect((yield* download(handle)).status).toBe(503)
        expect(yield* meter).toMatchObject({ uploads: 1, downloads: 0, characters: 0 })
      }).pipe(run)
  )
})

describe("uploads", () => {
  it.effect("are answered with an id and a key", () =>
    Effect.gen(function* () {
      const { json, status } = yield* upload("a.txt", bytes("Hello"))
      expect(status).toBe(200)
      expect(json).toEqual({
        document_id: expect.stringMatching(/^[\w-]{36}$/),
        document_key: expect.stringMatching(/^[0-9A-F]{64}$/)
      })
    }).pipe(run)
  )

  it.effect("take every field of the table", () =>
    Effect.gen(function* () {
      const created = yield* send(
        JSON.stringify({
          name: "g",
          dictionaries: [
            { source_lang: "en", target_lang: "de", entries: "House\tHaus <1>", entries_format: "tsv" }
          ]
        }),
        { path: "/v3/glossaries" }
      )
      const fields = {
        source_lang: "EN",
        target_lang: "DE",
        formality: "prefer_more",
        translation_memory_id: "f0a1b2c3-d4e5-4f60-8a7b-9c0d1e2f3a4b",
        translation_memory_threshold: "80",
        output_format: "html"
      }
      const page = bytes("<p>A House</p>")
      const one = yield* translated("a.html", page, { ...fields, glossary_id: created.json.glossary_id })
      const many = yield* translated("a.html", page, { ...fields, glossary_ids: [created.json.glossary_id] })
      expect(text(one)).toBe("<p>[de] Å Haus &lt;1></p>")
      expect(many).toEqual(one)
    }).pipe((self) => run(self, { allowUnknown: true }))
  )

  it.effect("leave a document unchanged between variants of a language, and bill it", () =>
    Effect.gen(function* () {
      const fields = { source_lang: "en-US", target_lang: "en-GB" }
      expect(text(yield* translated("a.txt", bytes("Colour"), fields))).toBe("Colour")
      expect((yield* meter).characters).toBe(6)
    }).pipe(run)
  )

  it.effect("keep names of any script, and take a name by the field filename", () =>
    Effect.gen(function* () {
      yield* upload('文書 "1".txt', bytes("Hello"))
      yield* upload("blob", bytes("Hello"), { filename: "named.txt" })
      expect((yield* meter).documents.map(({ fileName }) => fileName)).toEqual(['文書 "1".txt', "named.txt"])
    }).pipe(run)
  )

  it.effect.each([
    ["no target", { target_lang: [] }, "a.txt", 400, /^target_lang is missing/],
    ["an unknown field", { secret: "1" }, "a.txt", 400, /^secret is not known here/],
    ["a type that is not supported", {}, "a.odt", 400, /^file\.name is "a\.odt", whose extension/],
    ["a name without an extension", {}, "a", 400, /^file\.name is "a", which has no extension/],
    [
      "a conversion that is not permitted",
      { output_format: "pdf" },
      "a.docx",
      400,
      /^output_format is "pdf"/
    ],
    ["glossary_id without source_lang", { glossary_id: "g" }, "a.txt", 400, /^glossary_id needs/],
    ["a glossary that is not there", { glossary_id: "g", source_lang: "en" }, "a.txt", 404, /glossary/],
    ["a style that is not there", { style_id: "s" }, "a.txt", 404, /style/],
    [
      "formality where documents have none",
      { formality: "more", target_lang: "es-419" },
      "a.txt",
      400,
      /^formality/
    ],
    [
      "a threshold that is none",
      { translation_memory_threshold: "x" },
      "a.txt",
      400,
      /^translation_memory_threshold/
    ]
  ] as const)("refuse %s", ([, fields, name, code, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* upload(name, bytes("secret"), fields)
      expect([status, json.message]).toEqual([code, expect.stringMatching(message)])
      expect(yield* meter).toMatchObject({ uploads: 0, characters: 0, documents: [] })
    }).pipe(run)
  )

  it.effect("refuse a file of no bytes", () =>
    Effect.gen(function* () {
      const { json, status } = yield* upload("a.txt", bytes(""))
      expect([status, json.message]).toEqual([400, expect.stringMatching(/^file\S* is empty/)])
      expect(yield* meter).toMatchObject({ uploads: 0, characters: 0, documents: [] })
    }).pipe(run)
  )

  it.effect("refuse a body that is no multipart form: 415, 400 if it is malformed or holds two files", () =>
    Effect.gen(function* () {
      const json = yield* files.post("/v2/document", bytes("{}"), "application/json")
      const type = "multipart/form-data; boundary=b"
      const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello\r\n`
      const target = `--b\r\nContent-Disposition: form-data; name="target_lang"\r\n\r\nde\r\n`
      const answers = yield* Effect.forEach(
        [
          "",
          `${file}${target}`,
          `${file}${file}${target}--b--`,
          `${target}--b--`,
          `${file}${target}--b--\r\n`
        ],
        (body) => files.post("/v2/document", bytes(body), type)
      )
      const noBoundary = yield* files.post("/v2/document", bytes(""), "multipart/form-data")
      expect([json.status, noBoundary.status]).toEqual([415, 400])
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 200])
      expect(answers[3]!.json.message).toBe("file is missing")
    }).pipe(run)
  )

  it.effect("refuse files beyond maxBytes with 413", () =>
    Effect.gen(function* () {
      const fits = yield* upload("a.txt", bytes("12345"))
      const tooLarge = yield* upload("a.txt", bytes("123456"))
      expect([fits.status, tooLarge.status]).toEqual([200, 413])
      expect(tooLarge.json.message).toBe("The file holds 6 bytes; the limit is 5: split it")
    }).pipe((self) => run(self, { documents: { maxBytes: 5 } }))
  )

  it.effect(
    "get a 429 when too many documents wait for their download; errors and other keys don't count",
    () =>
      Effect.gen(function* () {
        yield* upload("a.png", bytes("broken"), {}, "a")
        const first = yield* upload("a.txt", bytes("Hello"), {}, "a")
        yield* upload("a.txt", bytes("Hello"), {}, "a")
        const refused = yield* upload("a.txt", bytes("Hello"), {}, "a")
        const other = yield* upload("a.txt", bytes("Hello"), {}, "b")
        yield* download(first.json, "a")
        const taken = yield* upload("a.txt", bytes("Hello"), {}, "a")
        expect([refused.status, other.status, taken.status]).toEqual([429, 200, 200])
      }).pipe((self) => run(self, { keys: ["a", "b"], documents: { maxWaiting: 2 } }))
  )

  it.effect("get a 456 beyond the limit, and are not kept then", () =>
    Effect.gen(function* () {
      const fits = yield* upload("a.txt", bytes("Hello"))
      const exceeding = yield* upload("a.txt", bytes("World!"))
      expect([fits.status, exceeding.status]).toEqual([200, 456])
      const usage = yield* send(undefined, { method: "GET", path: "/v2/usage" })
      expect(usage.json.character_count).toBe(5)
      expect(yield* meter).toMatchObject({ uploads: 1, characters: 5, texts: 0 })
    }).pipe((self) => run(self, { characterLimit: 10 }))
  )

  it.effect("need a key that works", () =>
    Effect.gen(function* () {
      const { json: handle } = yield* upload("a.txt", bytes("Hello"))
      yield* send(JSON.stringify({ key_id: Emulator.defaultKey }), {
        method: "PUT",
        path: "/v2/admin/developer-keys/deactivate",
        headers: { authorization: `Service-Auth-Key ${Emulator.defaultAdminKey}` }
      })
      const answers = yield* Effect.all([upload("a.txt", bytes("Hello")), status(handle), download(handle)])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    }).pipe(run)
  )
})

describe("status and download", () => {
  it.effect("returns one of queued, translating, done, error, by the times of the options", () =>
    Effect.gen(function* () {
      const { json: fine } = yield* upload("a.txt", bytes("Hello"))
      const { json: broken } = yield* upload("a.pdf", bytes("Hello"))
      const both = Effect.all([status(fine), status(broken)]).pipe(
        Effect.map((answers) => answers.map(({ json: { document_id, error_message, ...rest } }) => rest))
      )
      const queued = { status: "queued", seconds_remaining: 15 }
      expect(yield* both).toEqual([queued, queued])
      yield* TestClock.adjust("9500 millis")
      expect(yield* both).toMatchObject([{ status: "queued", seconds_remaining: 6 }, {}])
      yield* TestClock.adjust("500 millis")
      const translating = { status: "translating", seconds_remaining: 5 }
      expect(yield* both).toEqual([translating, translating])
      expect((yield* download(fine)).status).toBe(503)
      yield* TestClock.adjust("5 seconds")
      expect(yield* both).toEqual([{ status: "done", billed_characters: 5 }, { status: "error" }])
      expect((yield* download(fine)).status).toBe(200)
    }).pipe((self) => run(self, { documents: { queueTime: "10 seconds", translationTime: "5 seconds" } }))
  )

  it.effect("seconds_remaining may be a very large number", () =>
    Effect.gen(function* () {
      const { json: handle } = yield* upload("a.txt", bytes("Hello"))
      expect((yield* status(handle)).json.seconds_remaining).toBe(2_147_483_647)
      yield* TestClock.adjust("1 second")
      expect((yield* status(handle)).json).toEqual({
        document_id: handle.document_id,
        status: "done",
        billed_characters: 5
      })
    }).pipe((self) => run(self, { documents: { translationTime: "1 second", secondsRemaining: "absurd" } }))
  )

  it.effect("a second download is impossible: the documents are removed after the first", () =>
    Effect.gen(function* () {
      const { json: handle } = yield* upload("a.txt", bytes("Hello"))
      const both = yield* Effect.all([download(handle), download(handle)], { concurrency: 2 })
      const [first, second] = both.sort((a, b) => a.status - b.status)
      expect([first!.status, first!.type, text(first!.bytes)]).toEqual([
        200,
        "application/octet-stream",
        de("Hello")
      ])
      expect([second!.status, second!.json]).toEqual([503, { message: "Document already downloaded" }])
      expect((yield* meter).downloads).toBe(1)
    }).pipe(run)
  )

  it.effect("404 for an unknown id, a wrong key, and another API key", () =>
    Effect.gen(function* () {
      const { json: handle } = yield* upload("a.txt", bytes("Hello"), {}, "a")
      const answers = yield* Effect.forEach([status, download], (ask) =>
        Effect.all([
          ask({ ...handle, document_id: "unknown" }, "a"),
          ask({ ...handle, document_key: "wrong" }, "a"),
          ask(handle, "b")
        ])
      )
      expect(answers.flat().map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
      expect((yield* download(handle, "a")).status).toBe(200)
    }).pipe((self) => run(self, { keys: ["a", "b"] }))
  )
})

describe("faults", () => {
  it.effect("let documents end as errors, told by their names", () =>
    Effect.gen(function* () {
      yield* script(
        Fault.documentError("Too many pages").pipe(Fault.where(({ fileName }) => fileName === "b.txt"))
      )
      const handles = yield* Effect.forEach(["a.txt", "b.txt", "b.txt"], (name) =>
        upload(name, bytes("Hello"))
      )
      const answers = yield* Effect.forEach(handles, ({ json }) => status(json))
      expect(answers.map(({ json }) => json.error_message)).toEqual([undefined, "Too many pages", undefined])
      expect(yield* meter).toMatchObject({ uploads: 3, characters: 10, faults: 1 })
    }).pipe(run)
  )

  it.effect("see the fields of an upload, and its file by name alone", () =>
    Effect.gen(function* () {
      const seen: Array<Fault.Incoming> = []
      yield* script(Fault.status(503).pipe(Fault.where((request) => seen.push(request) === 0)))
      yield* upload("a.txt", bytes("secret"))
      expect(seen).toEqual([
        { method: "POST", path: "/v2/document", body: '{"target_lang":"de"}', texts: [], fileName: "a.txt" }
      ])
    }).pipe(run)
  )

  it.effect("cut an upload that was accepted, and a download that is lost by that", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection({ when: "after" }))
      expect((yield* Effect.exit(upload("a.txt", bytes("Hello"))))._tag).toBe("Failure")
      expect(yield* meter).toMatchObject({ uploads: 1, characters: 5 })
      const { json: handle } = yield* upload("a.txt", bytes("Hello"))
      yield* script(Fault.cutConnection({ when: "mid-body" }))
      expect((yield* Effect.exit(download(handle)))._tag).toBe("Failure")
      expect((yield* download(handle)).json.message).toBe("Document already downloaded")
    }).pipe(run)
  )
})

describe("the meter", () => {
  it.effect("tells which documents were accepted and handed out", () =>
    Effect.gen(function* () {
      const { json: first } = yield* upload("a.txt", bytes("Hello"), { target_lang: "FR" }, "a")
      const { json: second } = yield* upload("a.txt", bytes("Hello"), {}, "b")
      yield* download(first, "a")
      const read = yield* meter
      expect(read.documents).toEqual([
        { documentId: first.document_id, fileName: "a.txt", targetLang: "fr", isDownloaded: true },
        { documentId: second.document_id, fileName: "a.txt", targetLang: "de", isDownloaded: false }
      ])
      expect([read.uploads, read.downloads]).toEqual([2, 1])
      expect(read.keys).toMatchObject({ a: { uploads: 1, downloads: 1 }, b: { uploads: 1, downloads: 0 } })
    }).pipe((self) => run(self, { keys: ["a", "b"] }))
  )
})
