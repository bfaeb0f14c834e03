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
import type { NamedSource } from "../DocumentTranslation.js"
import type { EntryOf } from "./documentStep.js"

/** A path, or what is not a file. */
export type Source<E> = string | NamedSource<E>

/** What the entries of a translation may be about. */
export interface Names {
  /** The document by its path or name: of streams, and in journals of earlier versions. */
  readonly byName: DocumentJournal.DocumentId
  /** Its output: what that holds. */
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

/** What each option of an upload means for the translation; undefined if nothing, or what the default means. */
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
  // The service takes no model for documents. Of the name its extension alone matters, which is the type of the file.
  modelType: undefined,
  filename: undefined,
  isAnyFormatAllowed: undefined
})

/** All that changes the translation of a file of this name, but its bytes. */
export const meaningOf = (name: string, options: UploadOptions): string =>
  JSON.stringify([Document.extension(options.filename ?? name), meanings(options)])

/** What a document holds. */
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

/** What a document holds now; undefined for a file that is gone, and for a stream, which could not be read again. */
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

/** What its output holds; none if nothing was written into it for this document. */
export type Written = EntryOf<"Begun" | "Done"> | undefined

type Journal = Pick<DocumentJournal.Service, "get">

export const writtenOf = (
  journal: Journal,
  { byOutput }: Names
): Effect.Effect<Written, DocumentJournal.DocumentJournalError> =>
  Effect.map(journal.get(byOutput), (entry) =>
    Option.getOrUndefined(Option.filter(entry, (entry) => entry._tag === "Begun" || entry._tag === "Done"))
  )

/** The entry of a document by its name, unless more is known of its content. */
export const namedOf = (journal: Journal, { byName }: Names) =>
  Effect.map(
    journal.get(byName),
    Option.filter((entry) => !("content" in entry && entry.content !== undefined))
  )

/** What all translations of the same content share; a document whose content is not known is on its own. */
export const subjectOf = ({ byName }: Names, content: string | undefined): DocumentJournal.DocumentId => ({
  ...byName,
  content
})

/** What the journal knows of a translation. */
export interface Found {
  /** What its entries are about: its subject, or its name in a journal of an earlier version. */
  readonly document: DocumentJournal.DocumentId
  /** The last of them. */
  readonly known: Option.Option<DocumentJournal.Entry>
}

export const find = (
  journal: Journal,
  names: Names,
  written: Written,
  content: string | undefined
): Effect.Effect<Found, DocumentJournal.DocumentJournalError> =>
  Effect.gen(function* () {
    const document = subjectOf(names, content)
    if (content === undefined) return { document, known: yield* namedOf(journal, names) }
    if (written?._tag === "Done" && written.content === content) {
      return { document, known: Option.some(written) }
    }
    const known = yield* journal.get(document)
    if (Option.isSome(known)) return { document, known }
    const named = yield* namedOf(journal, names)
    return Option.isSome(named) ? { document: names.byName, known: named } : { document, known }
  })
