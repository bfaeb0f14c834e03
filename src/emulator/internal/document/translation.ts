import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Document from "../../../api/Document.js"
import * as LanguageCode from "../../../api/LanguageCode.js"
import type { Format } from "../../../format/Format.js"
import * as Html from "../../../format/Html.js"
import * as Lines from "../../../format/Lines.js"
import * as Srt from "../../../format/Srt.js"
import * as Xliff from "../../../format/Xliff.js"
import { DocumentFailure, type FileTranslator, type TextTranslator } from "./fileTranslator.js"
import { translateFormat } from "./format.js"
import { docx, docxOf, pptx, xlsx } from "./office.js"
import * as xml from "./xml.js"

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

const jpeg = [0xff, 0xd8, 0xff]
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const standIn = ({ fileName, targetLang }: Source): Uint8Array =>
  docxOf([
    `The emulator reads no ${Document.extension(fileName)} files. This document stands in for the translation of ${fileName} into ${targetLang}.`
  ])

type Translator = (source: Source, translator: TextTranslator) => ReturnType<FileTranslator>

const through =
  (format: Format): Translator =>
  ({ content, targetLang }, translator) =>
    translateFormat(format, LanguageCode.canonical(targetLang))(content, translator)

/** A document in memory takes many times its bytes. */
const whole =
  (format: Format): Translator =>
  (source, translator) =>
    source.content.length > xml.maxBytes
      ? new DocumentFailure({
          message: `The file holds ${source.content.length} bytes; the emulator reads at most ${xml.maxBytes}`
        })
      : through(format)(source, translator)

/** Source: service specification, Documents: the service takes XLIFF 2.1, and no older one. */
const xliff: Translator = (source, translator) =>
  /<xliff\b[^>]*\sversion\s*=\s*["']2/.test(new TextDecoder().decode(source.content.subarray(0, 4096)))
    ? whole(Xliff.format)(source, translator)
    : new DocumentFailure({ message: "The file is no XLIFF 2.1: its root is no xliff of that version" })

const byType: { readonly [type: string]: Translator } = {
  txt: through(Lines.format),
  srt: through(Srt.format),
  htm: whole(Html.format),
  html: whole(Html.format),
  xlf: xliff,
  xliff,
  docx: ({ content }, translator) => docx(content, translator),
  pptx: ({ content }, translator) => pptx(content, translator),
  xlsx: ({ content }, translator) => xlsx(content, translator),
  doc: (source) =>
    Effect.map(checked("doc", source.content, startsWith(source.content, compound)), () => standIn(source)),
  pdf: (source) =>
    Effect.map(checked("pdf", source.content, isPdf(source.content)), (content) =>
      source.outputFormat === "docx" ? standIn(source) : content
    ),
  jpg: ({ content }) => checked("jpg", content, startsWith(content, jpeg)),
  jpeg: ({ content }) => checked("jpeg", content, startsWith(content, jpeg)),
  png: ({ content }) => checked("png", content, startsWith(content, png))
}

const tooDeep = new DocumentFailure({ message: "The document is nested too deeply" })

/** The translation of a document by its type, which is the extension of its name. */
export const translate = (
  source: Source,
  translator: TextTranslator
): Effect.Effect<Uint8Array, DocumentFailure> =>
  Effect.suspend(() => byType[Document.extension(source.fileName)]!(source, translator)).pipe(
    // Walking down its elements uses up the stack.
    Effect.catchSomeDefect((defect) =>
      defect instanceof RangeError ? Option.some(Effect.fail(tooDeep)) : Option.none()
    )
  )
