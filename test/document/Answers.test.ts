/** Answers to a download that are no translation, whatever their status says: from `node:http`, written by hand. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { DocumentBatch, DocumentJournal, DocumentTranslation } from "effect-translate/documents"
import { served } from "../support/client.js"
import { entryOf } from "../support/documents.js"
import * as recording from "../support/recordingServer.js"

const login = "<!DOCTYPE html>\n<html><body>Please sign in</body></html>"
const json = '{"message":"Please sign in"}'
const zip = Buffer.from("PK\u0003\u0004the rest of an archive", "latin1")
const pdf = Buffer.from("%PDF-1.7 the rest")
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])

const handle = (name: string) => ({
  documentId: "D1",
  documentKey: Redacted.make("K1"),
  name,
  translatedName: name,
  targetLang: "de"
})

const octets = "application/octet-stream"

/** What comes, of a type, is or is no translation of a file of an extension. */
const cases: ReadonlyArray<
  readonly [extension: string, type: string, body: string | Buffer, isDocument: boolean]
> = [
  // Nothing is never a translation.
  ["txt", octets, "", false],
  ["docx", octets, "", false],
  ["html", "text/html", "", false],
  // A page of a proxy.
  ["docx", "text/html; charset=utf-8", login, false],
  ["docx", octets, login, false],
  ["pdf", octets, login, false],
  ["png", "text/html", login, false],
  ["txt", "text/html", login, false],
  ["srt", octets, login, false],
  ["xlf", octets, login, false],
  ["xliff", "text/html", login, false],
  ["pptx", "text/plain", "Bad gateway", false],
  // JSON.
  ["docx", "application/json", json, false],
  ["xlsx", octets, json, false],
  ["xliff", octets, json, false],
  ["txt", "application/json", json, false],
  ["html", "application/problem+json", json, false],
  // Documents.
  ["docx", octets, zip, true],
  ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", zip, true],
  ["xlsx", octets, zip, true],
  ["pdf", "application/pdf", pdf, true],
  ["png", octets, png, true],
  ["jpg", "image/jpeg", jpeg, true],
  ["jpeg", octets, jpeg, true],
  ["html", "text/html", login, true],
  ["htm", octets, login, true],
  ["html", octets, "{{ header }}<p>Hallo</p>", true],
  ["txt", octets, login, true],
  ["txt", "text/plain", json, true],
  ["txt", octets, " ", true],
  ["srt", octets, "1\n00:00:01,000 --> 00:00:02,000\nHallo\n", true],
  ["xlf", octets, '\uFEFF  <?xml version="1.0"?><xliff/>', true],
  ["xliff", "text/xml", "<xliff/>", true]
]

const temporary = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

const layer = Layer.mergeAll(served(), NodeContext.layer, DocumentJournal.layerMemory)

const done = { body: { document_id: "D1", status: "done", billed_characters: 3 } }

describe("the answer to a download", () => {
  for (const [extension, type, body, isDocument] of cases) {
    const begins = JSON.stringify(body.toString("latin1").slice(0, 14))
    it.scopedLive(`of ${type} that begins with ${begins} is ${isDocument ? "a" : "no"} ${extension}`, () =>
      Effect.gen(function* () {
        const folder = yield* temporary
        const output = `${folder}/output`
        yield* recording.answer({ body: Buffer.from(body), headers: { "content-type": type } })
        const download = DocumentTranslation.download(handle(`a.${extension}`), output, {
          status: { status: "done" }
        })
        if (isDocument) {
          yield* download
          expect(readFileSync(output).equals(Buffer.from(body))).toBe(true)
        } else {
          const error = yield* Effect.flip(download)
          expect(error).toMatchObject({ _tag: "NotATranslation", documentId: "D1" })
          expect(error.message).not.toMatch(/sign in|gateway/)
          expect(readdirSync(folder)).toEqual([])
        }
      }).pipe(Effect.provide(layer))
    )
  }

  it.scopedLive("is judged by the name of its output, if the handle has none", () =>
    Effect.gen(function* () {
      const output = `${yield* temporary}/a.docx`
      const access = { documentId: "D1", documentKey: Redacted.make("K1") }
      yield* recording.answer({ body: Buffer.from(login), headers: { "content-type": octets } })
      const error = yield* Effect.flip(
        DocumentTranslation.download(access, output, { status: { status: "done" } })
      )
      expect(error).toMatchObject({ _tag: "NotATranslation" })
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("is judged by the client too, and whole documents come in one piece or many", () =>
    Effect.gen(function* () {
      const { documents } = yield* TranslateClient.TranslateClient
      yield* recording.answer({ body: Buffer.from(login), headers: { "content-type": "text/html" } })
      const error = yield* Effect.flip(Stream.runDrain(documents.download(handle("a.docx"))))
      expect(error).toMatchObject({ _tag: "UndecodableResponse", status: 200 })
    }).pipe(Effect.provide(layer))
  )
})

describe("a batch", () => {
  it.scopedLive("keeps a document fetchable whose answer was no translation; the next run fetches it", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const path = `${folder}/a.docx`
      writeFileSync(path, zip)
      yield* recording.answer(
        { body: { document_id: "D1", document_key: "K1" } },
        done,
        { body: Buffer.from(login), headers: { "content-type": "text/html" } },
        done,
        { body: zip, headers: { "content-type": octets } }
      )
      const run = DocumentBatch.run(Stream.make({ path, targetLang: "de" })).pipe(
        Stream.run(DocumentBatch.report())
      )
      const first = yield* run
      expect(first.failed).toMatchObject([{ error: { _tag: "NotATranslation" } }])
      expect(yield* entryOf(path, { targetLang: "de" })).toMatchObject(
        Option.some({ _tag: "Uploaded", handle: { documentId: "D1" } })
      )
      expect(existsSync(`${folder}/a.de.docx`)).toBe(false)
      expect(yield* run).toMatchObject({ translated: 1, failed: [] })
      expect(readFileSync(`${folder}/a.de.docx`).equals(zip)).toBe(true)
      expect((yield* recording.requests).filter(({ path }) => path === "/v2/document")).toHaveLength(1)
    }).pipe(Effect.provide(layer))
  )
})
