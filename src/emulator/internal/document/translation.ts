import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Document from "../../../api/Document.js"
import { DocumentFailure, type FileTranslator, type TextTranslator } from "./fileTranslator.js"
import { html } from "./html.js"
import { docx, docxOf, pptx, xlsx } from "./office.js"
import { srt, txt } from "./plainText.js"
import { xliff } from "./xliff.js"

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

const byType: {
  readonly [type: string]: (source: Source, translator: TextTranslator) => ReturnType<FileTranslator>
} = {
  txt: ({ content }, translator) => txt(content, translator),
  srt: ({ content }, translator) => srt(content, translator),
  htm: ({ content }, translator) => html(content, translator),
  html: ({ content }, translator) => html(content, translator),
  xlf: ({ content, targetLang }, translator) => xliff(targetLang)(content, translator),
  xliff: ({ content, targetLang }, translator) => xliff(targetLang)(content, translator),
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
