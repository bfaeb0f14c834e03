/** Files of every type that the emulator translates, made here, and readers of these types. */

import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { DOMParser, onWarningStopParsing } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import { Emulator } from "effect-translate/emulator"
import * as fflate from "fflate"

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const text = (content: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content)

export const zip = (parts: { readonly [name: string]: string | Uint8Array }): Uint8Array =>
  fflate.zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? bytes(part) : part])
    )
  )

/** The parts of an archive, XML parts parsed: what is not well-formed fails. */
export const unzip = (content: Uint8Array) => {
  const parts = fflate.unzipSync(content)
  for (const [name, part] of Object.entries(parts)) if (/\.(xml|rels)$/.test(name)) xml(part)
  return {
    names: Object.keys(parts),
    part: (name: string) => parts[name]!,
    /** The texts of the elements of a tag. */
    texts: (name: string, tag: string) => textsOf(xml(parts[name]!), tag)
  }
}

export const xml = (content: Uint8Array) =>
  new DOMParser({ onError: onWarningStopParsing }).parseFromString(text(content), "text/xml")

export const textsOf = (document: ReturnType<typeof xml>, tag: string): ReadonlyArray<string | null> =>
  Array.from(document.getElementsByTagName(tag)).map(({ textContent }) => textContent)

const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`

/** An Office file of one part. */
const office = (main: string) =>
  zip({
    "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    [main]: `${head}<document>Hello</document>`
  })

export const xliff = (units: string) =>
  bytes(
    `${head}<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en"><file id="f">${units}</file></xliff>`
  )

export const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
export const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0xff, 0xd9])
export const pdf = bytes("%PDF-1.7\n%\u00e2\n1 0 obj\n<<>>\nendobj\n%%EOF\n")
export const doc = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])

/** One well-formed file of each type. */
export const files: { readonly [name: string]: Uint8Array } = {
  "a.docx": office("word/document.xml"),
  "a.doc": doc,
  "a.pptx": office("ppt/presentation.xml"),
  "a.xlsx": office("xl/workbook.xml"),
  "a.pdf": pdf,
  "a.htm": bytes("<p>Hello</p>"),
  "a.html": bytes("<p>Hello</p>"),
  "a.txt": bytes("Hello"),
  "a.xlf": xliff(`<unit id="1"><segment><source>Hello</source></segment></unit>`),
  "a.xliff": xliff(`<unit id="1"><segment><source>Hello</source></segment></unit>`),
  "a.srt": bytes("1\n00:00:01,000 --> 00:00:02,000\nHello\n"),
  "a.jpeg": jpeg,
  "a.jpg": jpeg,
  "a.png": png
}

export interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly bytes: Uint8Array
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  readonly json: any
}

/** Posts a body to the emulator, with its first key unless told otherwise. */
export const post = (
  path: string,
  body: Uint8Array,
  contentType: string,
  key: string = Emulator.defaultKey
) =>
  Effect.gen(function* () {
    const { url } = yield* Emulator.Emulator
    const response = yield* HttpClient.execute(
      HttpClientRequest.post(`${url}${path}`).pipe(
        HttpClientRequest.bodyUint8Array(body, contentType),
        HttpClientRequest.setHeader("authorization", `Service-Auth-Key ${key}`)
      )
    )
    const received = new Uint8Array(yield* response.arrayBuffer)
    const json = response.headers["content-type"]?.startsWith("application/json") === true
    return {
      status: response.status,
      type: response.headers["content-type"],
      bytes: received,
      json: json ? JSON.parse(text(received)) : undefined
    } satisfies Answer
  })

type Fields = { readonly [name: string]: string | ReadonlyArray<string> }

/** Uploads a file, in a form as the platform's `FormData` encodes it. */
export const upload = (name: string, content: Uint8Array, fields: Fields = {}, key?: string) =>
  Effect.gen(function* () {
    const form = new FormData()
    form.append("file", new Blob([content as Uint8Array<ArrayBuffer>]), name)
    for (const [field, values] of Object.entries({ target_lang: "de", ...fields })) {
      for (const value of [values].flat()) form.append(field, value as string)
    }
    const encoded = new Response(form)
    const body = new Uint8Array(yield* Effect.promise(() => encoded.arrayBuffer()))
    return yield* post("/v2/document", body, encoded.headers.get("content-type")!, key)
  })

export interface Handle {
  readonly document_id: string
  readonly document_key: string
}

const access = (what: string, { document_id, document_key }: Handle, key?: string) =>
  post(`/v2/document/${document_id}${what}`, bytes(JSON.stringify({ document_key })), "application/json", key)

export const status = (handle: Handle, key?: string) => access("", handle, key)

export const download = (handle: Handle, key?: string) => access("/result", handle, key)

/** What a file becomes. */
export const translated = (name: string, content: Uint8Array, fields?: Fields) =>
  Effect.flatMap(upload(name, content, fields), ({ json }) =>
    Effect.map(download(json), ({ bytes }) => bytes)
  )
