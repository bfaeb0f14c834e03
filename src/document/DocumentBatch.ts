/**
 * Translates many files into many languages: a stream of items in, an outcome for each out. After a kill or a crash the same
 * run continues where the last one ended.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { dual, identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Document from "../api/Document.js"
import * as LanguageCode from "../api/LanguageCode.js"
import type * as Documents from "../client/Documents.js"
import type * as DocumentError from "./DocumentError.js"
import type * as DocumentTranslation from "./DocumentTranslation.js"
import * as batch from "./internal/batch.js"
import { makeShared } from "./internal/documentTask.js"

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
 * How to run a batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<A extends Item = Item> extends DocumentTranslation.CommonOptions {
  /**
   * How many documents are uploaded and awaited at once, and how many that an earlier run has uploaded are awaited besides.
   * The `ConcurrencyLimit` bounds the requests. @default 16
   */
  readonly concurrency?: number | undefined
  /**
   * Once this effect ends, nothing more is begun: uploads and downloads that are under way are finished, nothing is waited for, and the
   * stream fails with `BatchHalted`. The same batch again goes on. @default never
   */
  readonly haltWhen?: Effect.Effect<unknown> | undefined
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
  /** How many characters the service says it billed. */
  readonly billedCharacters: number | undefined
}

/**
 * There was nothing to upload: an earlier run has finished it (`done`), or an equal file was translated by the same options
 * (`duplicate`): in this run or an earlier one, and into another output, of which this output is a copy.
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
 * It was not translated. Nothing that is paid for is lost: the next run continues with it.
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
 * It was translated, but the service does not give it out any more, or the output to copy is gone or was changed. `resubmit: ["lost"]` uploads it again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lost<A extends Item = Item> {
  readonly _tag: "Lost"
  readonly item: A
  readonly output: string
  readonly error: DocumentError.DownloadLost | DocumentError.AlreadyDownloaded | DocumentError.OutputLost
}

/**
 * The outcome of an item.
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
 * The default output of an item: beside its source, with the language before the extension of the translation.
 * `report.doc` becomes `report.de.docx`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const defaultOutput = ({ path, targetLang, upload }: Item): string => {
  const translated = Document.translatedName(upload?.filename ?? path, upload?.outputFormat)
  return `${stem(path)}.${LanguageCode.canonical(targetLang)}${translated.slice(stem(translated).length)}`
}

/**
 * Makes an item of every file for every language.
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

/** How many items may be pulled ahead of the uploads, to find those that an earlier run has uploaded. */
const lookahead = 8192

/**
 * Translates files, and emits an outcome for each as it is ready. The journal has every step: after a kill, a document whose
 * handle is known is polled and downloaded, not uploaded again; a finished one is skipped. An upload that was under way is
 * `Ambiguous`. A download that was under way is `Lost` if the service does not give the document out again. Both are uploaded
 * again only if `resubmit` allows it.
 *
 * A file is known by its bytes, and by the options that change its translation: one that has changed is translated again, and
 * of equal ones one is uploaded and the others get copies of its output; see `DocumentTranslation.translate`.
 *
 * If an upload is refused with 429 because too many documents wait for their download, all uploads wait, while documents that
 * the service has are polled and downloaded.
 *
 * After an error that all later uploads would fail with too (`Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`,
 * `DiskFull`, a `DownloadLost` that could not be written, `DocumentJournalError`) no more items are pulled. Those that were
 * pulled get their outcome, and then the stream fails with the error. After the last four nothing is downloaded any more
 * either: the next run fetches what is uploaded. While the service is down all calls wait, as the `CircuitBreaker` says.
 * What a `QuotaExceeded` means is up to the `QuotaPolicy` of the client.
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
  ) => Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | batch.Requirements>
  <A extends Item, E, R>(
    items: Stream.Stream<A, E, R>,
    options?: Options<A>
  ): Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | batch.Requirements>
} = dual(
  (args) => Predicate.hasProperty(args[0], Stream.StreamTypeId),
  <A extends Item, E, R>(
    items: Stream.Stream<A, E, R>,
    options: Options<A> = {}
  ): Stream.Stream<Outcome<A>, E | DocumentTranslation.DocumentTranslationError, R | batch.Requirements> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const { concurrency = 16, haltWhen } = options
        const shared = yield* makeShared
        if (haltWhen !== undefined) {
          yield* Effect.forkScoped(Effect.interruptible(Effect.zipRight(haltWhen, batch.halt(shared))))
        }
        const run: batch.Run<A> = {
          options,
          shared,
          documents: new Set(),
          outputs: new Set()
        }
        let sourceFailure: Cause.Cause<E> = Cause.empty
        const [awaited, uploaded] = yield* items.pipe(
          // What is under way is finished first: an upload that is interrupted is ambiguous.
          Stream.catchAllCause((cause) => {
            sourceFailure = cause
            return Stream.empty
          }),
          Stream.interruptWhen(Deferred.await(shared.ended)),
          Stream.partitionEither((item) => batch.triage(run, item, item.output ?? defaultOutput(item)), {
            bufferSize: lookahead
          })
        )
        const all = Stream.mapEffect(identity<batch.Translation<A>>, { concurrency, unordered: true })
        const failure = Effect.gen(function* () {
          if (!Cause.isEmpty(sourceFailure)) return yield* Effect.failCause(sourceFailure)
          if (yield* Deferred.isDone(shared.ended)) return yield* Effect.flip(Deferred.await(shared.ended))
        })
        return Stream.concat(Stream.merge(all(awaited), all(uploaded)), Stream.execute(failure))
      })
    )
)

/**
 * The outcomes of all items: `in = translated + skipped + failed + ambiguous + lost`.
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
