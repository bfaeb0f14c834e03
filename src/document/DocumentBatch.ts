/**
 * Many files into many languages: a stream of documents in, what became of each out. Killed at any moment, the same run
 * again goes on where the last one ended.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Document from "../api/Document.js"
import * as LanguageCode from "../api/LanguageCode.js"
import type * as Documents from "../client/Documents.js"
import type * as TranslateClient from "../client/TranslateClient.js"
import * as DocumentError from "./DocumentError.js"
import * as DocumentJournal from "./DocumentJournal.js"
import type * as DocumentTranslation from "./DocumentTranslation.js"
import { keyOf } from "./internal/documentKey.js"
import * as uploads from "./internal/uploads.js"
import * as work from "./internal/work.js"

/**
 * A file, and what to translate it into.
 *
 * @since 0.1.0
 * @category models
 */
export interface Item {
  /** The file. */
  readonly path: string
  /** The language to translate into; any casing. */
  readonly targetLang: string
  /** The other options of the upload. @default none */
  readonly upload?: Omit<Documents.UploadOptions, "targetLang"> | undefined
  /** Where the translation goes. @default the language before the extension: `report.docx` becomes `report.de.docx` */
  readonly output?: string | undefined
}

/**
 * How a batch is run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<A extends Item = Item> extends DocumentTranslation.CommonOptions {
  /**
   * How many documents are uploaded and awaited at once; as many more that an earlier run has uploaded are awaited. The
   * `ConcurrencyLimit` bounds requests besides. @default 16
   */
  readonly concurrency?: number | undefined
  /** Called with each status of each document, for progress. @default nothing */
  readonly onStatus?: ((item: A, status: Document.Status) => Effect.Effect<void>) | undefined
}

/**
 * The translation is in the output.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated<A extends Item = Item> {
  readonly _tag: "Translated"
  readonly item: A
  readonly output: string
  readonly documentId: string
  /** What the service says that it billed. */
  readonly billedCharacters: number | undefined
}

/**
 * Nothing was to be done: an earlier run has finished it (`done`), or this one has met the same file and language before
 * (`duplicate`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Skipped<A extends Item = Item> {
  readonly _tag: "Skipped"
  readonly item: A
  readonly output: string
  readonly reason: "done" | "duplicate"
}

/**
 * It was not translated, and nothing paid for is lost so far: the next run goes on with it where it stood.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failed<A extends Item = Item> {
  readonly _tag: "Failed"
  readonly item: A
  readonly output: string
  readonly error: DocumentTranslation.DocumentTranslationError
}

/**
 * Nobody knows whether its upload arrived. `resubmit: ["ambiguous"]` uploads it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ambiguous<A extends Item = Item> {
  readonly _tag: "Ambiguous"
  readonly item: A
  readonly output: string
  readonly error: DocumentError.AmbiguousUpload
}

/**
 * It was translated, and the service does not give it out any more. `resubmit: ["lost"]` uploads it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lost<A extends Item = Item> {
  readonly _tag: "Lost"
  readonly item: A
  readonly output: string
  readonly error: DocumentError.DownloadLost | DocumentError.AlreadyDownloaded
}

/**
 * What became of an item.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome<A extends Item = Item> = Translated<A> | Skipped<A> | Failed<A> | Ambiguous<A> | Lost<A>

/** A path without its extension and the dot before it. */
const stem = (path: string): string => {
  const { length } = Document.extension(path)
  return length === 0 ? path : path.slice(0, -length - 1)
}

/**
 * The file of a translation unless told otherwise: beside its source, the language before the extension, which is the
 * translation's: `report.doc` becomes `report.de.docx`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const defaultOutput = ({ path, targetLang, upload }: Item): string => {
  const translated = Document.translatedName(upload?.filename ?? path, upload?.outputFormat)
  return `${stem(path)}.${LanguageCode.canonical(targetLang)}${translated.slice(stem(translated).length)}`
}

/**
 * Every file into every language.
 *
 * @since 0.1.0
 * @category combinators
 */
export const into: {
  (
    targetLangs: ReadonlyArray<string>
  ): <E, R>(paths: Stream.Stream<string, E, R>) => Stream.Stream<Item, E, R>
  <E, R>(paths: Stream.Stream<string, E, R>, targetLangs: ReadonlyArray<string>): Stream.Stream<Item, E, R>
} = dual(
  2,
  <E, R>(paths: Stream.Stream<string, E, R>, targetLangs: ReadonlyArray<string>): Stream.Stream<Item, E, R> =>
    Stream.mapConcat(paths, (path) => targetLangs.map((targetLang) => ({ path, targetLang })))
)

const outcomeOf = <A extends Item>(
  item: A,
  output: string,
  result: Either.Either<DocumentTranslation.Translated, DocumentTranslation.DocumentTranslationError>
): Outcome<A> => {
  if (Either.isRight(result)) {
    const { already, billedCharacters, documentId, output } = result.right
    return already
      ? { _tag: "Skipped", item, output, reason: "done" }
      : { _tag: "Translated", item, output, documentId, billedCharacters }
  }
  const error = result.left
  switch (error._tag) {
    case "AmbiguousUpload":
      return { _tag: "Ambiguous", item, output, error }
    case "DownloadLost":
    case "AlreadyDownloaded":
      return { _tag: "Lost", item, output, error }
    default:
      return { _tag: "Failed", item, output, error }
  }
}

/** What all later uploads would meet too. */
const isFatal = ({ _tag }: DocumentTranslation.DocumentTranslationError): boolean =>
  _tag === "Unauthorized" ||
  _tag === "QuotaExceeded" ||
  _tag === "BudgetExceeded" ||
  _tag === "DocumentJournalError"

/** How many items are looked at ahead of the uploads, so that what an earlier run has uploaded is not kept waiting by them. */
const lookahead = 8192

type Requirements =
  | TranslateClient.TranslateClient
  | DocumentJournal.DocumentJournal
  | FileSystem.FileSystem
  | Path.Path

/** What the items of one run share. */
interface Run<A extends Item> {
  readonly options: Options<A>
  readonly uploads: uploads.Uploads
  /** The error that ends the run. */
  readonly fatal: Deferred.Deferred<DocumentTranslation.DocumentTranslationError>
  readonly documents: Set<string>
  readonly outputs: Set<string>
}

type Work<A extends Item> = Effect.Effect<Outcome<A>, never, Requirements>

const carryOut = <A extends Item>(run: Run<A>, item: A, output: string): Work<A> => {
  const { concurrency: _, onStatus, ...common } = run.options
  return work
    .translate<never>({
      source: item.path,
      output,
      uploads: run.uploads,
      options: {
        ...common,
        ...item.upload,
        targetLang: item.targetLang,
        onStatus: onStatus && ((status) => onStatus(item, status))
      }
    })
    .pipe(
      Effect.tapError((error) => (isFatal(error) ? Deferred.succeed(run.fatal, error) : Effect.void)),
      Effect.either,
      Effect.map((result) => outcomeOf(item, output, result))
    )
}

/** Once the run is to end nothing is uploaded any more. */
const unlessOver = <A extends Item>(run: Run<A>, item: A, output: string): Work<A> =>
  Effect.flatMap(
    Deferred.poll(run.fatal),
    Option.match({
      onNone: () => carryOut(run, item, output),
      onSome: Effect.map((error) => outcomeOf(item, output, Either.left(error)))
    })
  )

/** What is to be done for an item: on the right what has to be uploaded first, on the left what waits for no upload. */
const triage = <A extends Item>(
  run: Run<A>,
  item: A
): Effect.Effect<Either.Either<Work<A>, Work<A>>, never, DocumentJournal.DocumentJournal | Path.Path> =>
  Effect.gen(function* () {
    const { resolve } = yield* Path.Path
    const journal = yield* DocumentJournal.DocumentJournal
    const output = item.output ?? defaultOutput(item)
    const document = yield* work.documentId({
      source: item.path,
      options: { ...item.upload, targetLang: item.targetLang }
    })
    const key = keyOf(document)
    if (run.documents.has(key)) {
      return Either.left(Effect.succeed<Outcome<A>>({ _tag: "Skipped", item, output, reason: "duplicate" }))
    }
    run.documents.add(key)
    if (run.outputs.has(resolve(output))) {
      const error = new DocumentError.OutputUnusable({ output, reason: "is the output of another item too" })
      return Either.left(Effect.succeed<Outcome<A>>({ _tag: "Failed", item, output, error }))
    }
    run.outputs.add(resolve(output))
    // What the journal fails with, the work fails with too.
    const known = yield* Effect.option(journal.get(document))
    return Option.exists(known, (known) => work.isUnsent(known, run.options.resubmit))
      ? Either.right(unlessOver(run, item, output))
      : Either.left(carryOut(run, item, output))
  })

/**
 * Translates files, with an outcome for each, as they are ready. All goes through the journal: after a kill, a document
 * whose handle is known is polled and downloaded, not uploaded again; a finished one is skipped. An upload that was under
 * way is `Ambiguous`, a download that was under way and that the service gives out no more is `Lost`: both are uploaded
 * again only if `resubmit` says so.
 *
 * An upload that is refused with 429, since too many documents wait for their download, holds all uploads, while documents
 * that the service has are polled and downloaded.
 *
 * After an error that all later uploads would meet too (`Unauthorized`, `QuotaExceeded`, `BudgetExceeded`,
 * `DocumentJournalError`) pulling stops, what was pulled gets its outcome, and then the stream fails with the error.
 *
 * Source: service specification, Endpoints, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run: {
  <A extends Item>(
    options?: Options<A>
  ): <E, R>(
    items: Stream.Stream<A, E, R>
  ) => Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | Requirements>
  <A extends Item, E, R>(
    items: Stream.Stream<A, E, R>,
    options?: Options<A>
  ): Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | Requirements>
} = dual(
  (args) => Predicate.hasProperty(args[0], Stream.StreamTypeId),
  <A extends Item, E, R>(
    items: Stream.Stream<A, E, R>,
    options: Options<A> = {}
  ): Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | Requirements> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const { concurrency = 16 } = options
        const fatal = yield* Deferred.make<DocumentTranslation.DocumentTranslationError>()
        const run: Run<A> = {
          options,
          uploads: yield* uploads.make,
          fatal,
          documents: new Set(),
          outputs: new Set()
        }
        let broken: Cause.Cause<E> | undefined
        const [waiting, unsent] = yield* items.pipe(
          // What is under way is finished first: an upload that is interrupted is ambiguous.
          Stream.catchAllCause((cause) => {
            broken = cause
            return Stream.empty
          }),
          Stream.interruptWhen(Deferred.await(fatal)),
          Stream.partitionEither((item) => triage(run, item), { bufferSize: lookahead })
        )
        const all = Stream.mapEffect((done: Work<A>) => done, { concurrency, unordered: true })
        const end = Effect.suspend(
          (): Effect.Effect<void, E | DocumentTranslation.DocumentTranslationError> =>
            broken === undefined
              ? Effect.flatMap(
                  Deferred.poll(fatal),
                  Option.match({ onNone: () => Effect.void, onSome: Effect.flatMap(Effect.fail) })
                )
              : Effect.failCause(broken)
        )
        return Stream.concat(Stream.merge(all(waiting), all(unsent)), Stream.execute(end))
      })
    )
)

/**
 * What became of all items: `in = translated + skipped + failed + ambiguous + lost`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report<A extends Item = Item> {
  /** Items that were pulled. */
  readonly in: number
  readonly translated: number
  readonly skipped: number
  readonly failed: ReadonlyArray<Failed<A>>
  /** What `resubmit: ["ambiguous"]` uploads again. */
  readonly ambiguous: ReadonlyArray<Ambiguous<A>>
  /** What `resubmit: ["lost"]` uploads again. */
  readonly lost: ReadonlyArray<Lost<A>>
  /** Characters that the service says it billed for what was translated. */
  readonly characters: number
}

/**
 * Adds up outcomes, and keeps those that need a decision.
 *
 * @since 0.1.0
 * @category combinators
 */
export const report = <A extends Item>(): Sink.Sink<Report<A>, Outcome<A>> =>
  Sink.suspend(() => {
    const failed: Array<Failed<A>> = []
    const ambiguous: Array<Ambiguous<A>> = []
    const lost: Array<Lost<A>> = []
    const sum = { in: 0, translated: 0, skipped: 0, failed, ambiguous, lost, characters: 0 }
    return Sink.foldLeft<Report<A>, Outcome<A>>(sum, (_, outcome) => {
      sum.in++
      if (outcome._tag === "Failed") failed.push(outcome)
      else if (outcome._tag === "Ambiguous") ambiguous.push(outcome)
      else if (outcome._tag === "Lost") lost.push(outcome)
      else if (outcome._tag === "Skipped") sum.skipped++
      else {
        sum.translated++
        sum.characters += outcome.billedCharacters ?? 0
      }
      return sum
    })
  })
