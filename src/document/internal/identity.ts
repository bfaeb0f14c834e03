import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Document from "../../api/Document.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { UploadOptions } from "../../client/Documents.js"
import { hashOf, isMissing } from "../../internal/files.js"
import { hash, hashOfBytes } from "../../internal/hash.js"
import type * as DocumentJournal from "../DocumentJournal.js"
import type { EntryOf } from "./documentStep.js"
import type { NamedSource } from "./translationModels.js"

/** A path, or a source with a name. */
export type Source<E> = string | NamedSource<E>

/** The two keys by which a journal may have a translation: by the name of its document, and by its output. */
export interface Names {
  /** The document by its path or name: of streams, and of files that are gone. */
  readonly byName: DocumentJournal.DocumentId
  /** The key by its output. */
  readonly byOutput: DocumentJournal.DocumentId & { readonly output: string }
}

export const namesOf = (
  source: Source<unknown>,
  output: string,
  { outputFormat, targetLang }: Pick<UploadOptions, "outputFormat" | "targetLang">
): Effect.Effect<Names, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }) => {
    const byName = {
      file: typeof source === "string" ? resolve(source) : source.id,
      targetLang: LanguageCode.canonical(targetLang),
      outputFormat: outputFormat?.toLowerCase()
    }
    return { byName, byOutput: { ...byName, output: resolve(output) } }
  })

/** Each option of an upload as far as it changes the translation; `undefined` for no change, as by the default. */
const meanings = (
  options: UploadOptions
): { readonly [option in keyof Required<UploadOptions>]: unknown } => ({
  targetLang: LanguageCode.canonical(options.targetLang),
  sourceLang: options.sourceLang && LanguageCode.canonical(options.sourceLang),
  formality: options.formality === "default" ? undefined : options.formality,
  glossaryId: options.glossaryId,
  glossaryIds: options.glossaryIds,
  styleId: options.styleId,
  translationMemoryId: options.translationMemoryId,
  translationMemoryThreshold: options.translationMemoryThreshold,
  outputFormat: options.outputFormat?.toLowerCase(),
  enableWatermark: options.enableWatermark,
  extraParameters: options.extraParameters,
  // The service takes no model for documents. Of the name its extension alone matters, which is the type of the file.
  modelType: undefined,
  filename: undefined,
  isAnyFormatAllowed: undefined
})

/** All that changes the translation of a file of this name, but its bytes. */
export const meaningOf = (name: string, options: UploadOptions): string =>
  JSON.stringify([Document.extension(options.filename ?? name), meanings(options)])

/** The content of a document. */
export interface Content {
  /** The hash of its bytes. */
  readonly bytes: string
  /** The hash of its bytes, of the service's address or name, and of all that changes its translation. */
  readonly content: string
}

/** The hash of a file, which is read piece by piece; undefined if there is no such file. */
export const hashOfFile = (
  path: string
): Effect.Effect<string | undefined, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.catchIf(hashOf(path), isMissing, () => Effect.succeed(undefined))

/** The content of a document now; `undefined` for a file that is gone, and for a stream, which could not be read again. */
export const contentOf = (
  service: string,
  source: Source<unknown>,
  options: UploadOptions
): Effect.Effect<Content | undefined, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { content = undefined, name } = typeof source === "string" ? { name: source } : source.source
    const bytes =
      typeof source === "string"
        ? yield* hashOfFile(source)
        : content instanceof Uint8Array
          ? hashOfBytes(content)
          : undefined
    if (bytes === undefined) return undefined
    return { bytes, content: hash(JSON.stringify([bytes, service, meaningOf(name, options)])) }
  })

/** The content of its output; none if nothing was written into it for this document. */
export type Written = EntryOf<"Begun" | "Done"> | undefined

type Journal = Pick<DocumentJournal.Service, "get">

export const writtenOf = (
  journal: Journal,
  { byOutput }: Names
): Effect.Effect<Written, DocumentJournal.DocumentJournalError> =>
  Effect.map(journal.get(byOutput), (entry) =>
    Option.getOrUndefined(Option.filter(entry, (entry) => entry._tag === "Begun" || entry._tag === "Done"))
  )

/** The shared key of all translations of the same content; a document of unknown content has its own. */
export const subjectOf = ({ byName }: Names, content: string | undefined): DocumentJournal.DocumentId => ({
  ...byName,
  content
})

/** The last entry of a translation. */
export const find = (
  journal: Journal,
  names: Names,
  written: Written,
  content: string | undefined
): Effect.Effect<Option.Option<DocumentJournal.Entry>, DocumentJournal.DocumentJournalError> =>
  content !== undefined && written?._tag === "Done" && written.content === content
    ? Effect.succeedSome(written)
    : journal.get(subjectOf(names, content))
