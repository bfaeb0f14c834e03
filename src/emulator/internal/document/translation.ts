import * as Effect from "effect/Effect"
import * as Document from "../../../api/Document.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import type { Format } from "../../../format/Format.js"
import * as Html from "../../../format/Html.js"
import * as Json from "../../../format/Json.js"
import * as Lines from "../../../format/Lines.js"
import * as Srt from "../../../format/Srt.js"
import * as Xliff from "../../../format/Xliff.js"
import * as Xml from "../../../format/Xml.js"
import { DocumentFailure, type FileTranslator, type TextTranslator } from "./fileTranslator.js"
import { maxBytes, translateFormat } from "./format.js"
import { standIn } from "./standIn.js"

/** A document to translate. */
export interface Source {
  readonly fileName: string
  readonly content: Uint8Array
  readonly targetLang: string
  readonly outputFormat: string | undefined
}

const startsWith = (content: Uint8Array, start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => content[index] === byte)

const isPdf = (content: Uint8Array): boolean =>
  Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 1024)).includes("%PDF-")

const checked = (
  type: string,
  content: Uint8Array,
  isOfType: boolean
): Effect.Effect<Uint8Array, DocumentFailure> =>
  isOfType
    ? Effect.succeed(content)
    : new DocumentFailure({ message: `The file is no ${type}: it does not begin like one` })

const archive = [0x50, 0x4b]
/** `<MIFFile` */
const mif = [0x3c, 0x4d, 0x49, 0x46, 0x46, 0x69, 0x6c, 0x65]
const jpeg = [0xff, 0xd8, 0xff]
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

type Translator = (source: Source, translator: TextTranslator) => ReturnType<FileTranslator>

const through =
  (format: Format): Translator =>
  ({ content, targetLang }, translator) =>
    translateFormat(format, LanguageCode.canonical(targetLang))(content, translator)

const whole =
  (format: Format): Translator =>
  (source, translator) =>
    source.content.length > maxBytes
      ? new DocumentFailure({
          message: `The file holds ${source.content.length} bytes; the emulator reads at most ${maxBytes}`
        })
      : through(format)(source, translator)

/** Source: service specification, Documents: the service takes XLIFF 2.1, and no older one. */
const xliff: Translator = (source, translator) =>
  /<xliff\b[^>]*\sversion\s*=\s*["']2/.test(new TextDecoder().decode(source.content.subarray(0, 4096)))
    ? whole(Xliff.format)(source, translator)
    : new DocumentFailure({ message: "The file is no XLIFF 2.1: its root is no xliff of that version" })

const unchanged =
  (type: string, start: ReadonlyArray<number>): Translator =>
  ({ content }) =>
    checked(type, content, startsWith(content, start))

const byType: { readonly [type: string]: Translator } = {
  txt: through(Lines.format),
  srt: through(Srt.format),
  htm: whole(Html.format),
  html: whole(Html.format),
  xlf: xliff,
  xliff,
  docx: unchanged("docx", archive),
  pptx: unchanged("pptx", archive),
  xlsx: unchanged("xlsx", archive),
  doc: ({ content }) => Effect.as(checked("doc", content, startsWith(content, compound)), standIn),
  pdf: ({ content, outputFormat }) =>
    Effect.map(checked("pdf", content, isPdf(content)), () => (outputFormat === "docx" ? standIn : content)),
  jpg: unchanged("jpg", jpeg),
  jpeg: unchanged("jpeg", jpeg),
  png: unchanged("png", png),
  json: whole(Json.format),
  xml: whole(Xml.format),
  dita: whole(Xml.format),
  idml: unchanged("idml", archive),
  mif: unchanged("mif", mif)
}

/** A type that a kind of service takes and the emulator knows nothing of. */
const unread: Translator = ({ content }) => Effect.succeed(content)

/** The translation of a document by its type, which is the extension of its name. */
export const translate = (
  source: Source,
  translator: TextTranslator
): Effect.Effect<Uint8Array, DocumentFailure> =>
  (byType[Document.extension(source.fileName)] ?? unread)(source, translator)
