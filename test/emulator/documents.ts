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
    texts: (name: string, tag: string) => textsOf(xml(parts[name]!), tag),
    xml: (name: string) => text(parts[name]!)
  }
}

export const xml = (content: Uint8Array) =>
  new DOMParser({ onError: onWarningStopParsing }).parseFromString(text(content), "text/xml")

export const textsOf = (document: ReturnType<typeof xml>, tag: string): ReadonlyArray<string | null> =>
  Array.from(document.getElementsByTagName(tag)).map(({ textContent }) => textContent)

const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`
const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
const types = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`

export const docx = (body: string, more: { readonly [name: string]: string | Uint8Array } = {}) =>
  zip({
    "[Content_Types].xml": types,
    "word/document.xml": `${head}<w:document ${w}><w:body>${body}</w:body></w:document>`,
    ...more
  })

export const header = (body: string) => `${head}<w:hdr ${w}>${body}</w:hdr>`

export const pptx = (body: string) =>
  zip({
    "[Content_Types].xml": types,
    "ppt/presentation.xml": `${head}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>`,
    "ppt/slides/slide1.xml": `${head}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${body}</p:sld>`
  })

const sheet = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`

export const xlsx = (parts: {
  readonly strings: string
  readonly cells: string
  readonly columns?: ReadonlyArray<string>
}) =>
  zip({
    "[Content_Types].xml": types,
    "xl/workbook.xml": `${head}<workbook ${sheet}><sheets><sheet name="Prices" sheetId="1"/></sheets></workbook>`,
    "xl/sharedStrings.xml": `${head}<sst ${sheet}>${parts.strings}</sst>`,
    "xl/worksheets/sheet1.xml": `${head}<worksheet ${sheet}><sheetData><row r="1">${parts.cells}</row></sheetData></worksheet>`,
    ...(parts.columns && {
      "xl/tables/table1.xml": `${head}<table ${sheet} id="1" name="T" ref="A1:B2"><tableColumns>${parts.columns
        .map((name, index) => `<tableColumn id="${index + 1}" name="${name}"/>`)
        .join("")}</tableColumns></table>`
    })
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
  "a.docx": docx("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"),
  "a.doc": doc,
  "a.pptx": pptx("<a:p><a:r><a:t>Hello</a:t></a:r></a:p>"),
  "a.xlsx": xlsx({ strings: "<si><t>Hello</t></si>", cells: `<c r="A1" t="s"><v>0</v></c>` }),
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
