/**
 * Translates many files into many languages: a stream of items in, an outcome for each out. After a kill or a crash the same
 * run continues where the last one ended.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { dual, identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type * as Documents from "../client/Documents.js"
import type * as TranslateClient from "../client/TranslateClient.js"
import * as OutputPath from "../format/OutputPath.js"
import type * as DocumentJournal from "./DocumentJournal.js"
import type * as DocumentTranslation from "./DocumentTranslation.js"
import * as batch from "./internal/batch.js"
import type { Ambiguous, Failed, Item, Lost, Options, Outcome } from "./internal/batchModels.js"
import { makeShared } from "./internal/documentTask.js"

/**
 * Items and their outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Ambiguous,
  Failed,
  Item,
  Lost,
  Options,
  Outcome,
  Skipped,
  Translated
} from "./internal/batchModels.js"

/**
 * Makes an item of every file for every language: a code, or the options of the upload with the code as `targetLang`, such as the
 * glossary and the style of that language.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forTargets: {
  /**
   * Makes an item of every file for every language: a code, or the options of the upload with the code as `targetLang`, such as the
   * glossary and the style of that language.
   */
  (
    languages: ReadonlyArray<string | Documents.UploadOptions>
  ): <E, R>(paths: Stream.Stream<string, E, R>) => Stream.Stream<Item, E, R>
  /**
   * Makes an item of every file for every language: a code, or the options of the upload with the code as `targetLang`, such as the
   * glossary and the style of that language.
   */
  <E, R>(
    paths: Stream.Stream<string, E, R>,
    languages: ReadonlyArray<string | Documents.UploadOptions>
  ): Stream.Stream<Item, E, R>
} = dual(
  2,
  <E, R>(
    paths: Stream.Stream<string, E, R>,
    languages: ReadonlyArray<string | Documents.UploadOptions>
  ): Stream.Stream<Item, E, R> => {
    const items = languages.map((language) => {
      if (typeof language === "string") return { targetLang: language }
      const { targetLang, ...upload } = language
      return { targetLang, upload }
    })
    return Stream.mapConcat(paths, (path) => items.map((item) => ({ path, ...item })))
  }
)

/** The number of items that may be pulled ahead of the uploads, to find those that an earlier run has uploaded. */
const lookahead = 8192

/**
 * Translates files, and emits an outcome for each as it is ready. The journal has every step: after a kill, a document whose
 * handle is known is polled and downloaded, not uploaded again; a finished one is skipped. An upload that was under way is
 * `Ambiguous`. A download that was under way is `Lost` if the service does not give the document out again. Both are
 * uploaded again only if `resubmit` allows it.
 *
 * A file is known by its bytes, and by the options that change its translation: one that has changed is translated again,
 * and of equal ones one is uploaded and the others get copies of its output; see `DocumentTranslation.translate`.
 *
 * If an upload is refused with 429 because too many documents wait for their download, all uploads wait, while documents
 * that the service has are polled and downloaded.
 *
 * After an error that all later uploads would fail with too (`Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`,
 * `DiskFull`, a `DownloadLost` that could not be written, `DocumentJournalError`) no more items are pulled. Those that were
 * pulled get their outcome, and then the stream fails with the error. After the last four nothing is downloaded any more
 * either: the next run fetches the uploaded documents. While the service is down all calls wait, as the `CircuitBreaker`
 * says. The `QuotaPolicy` of the client says what a `QuotaExceeded` means.
 *
 * Source: service specification, Endpoints, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run: {
  /**
   * Translates files, and emits an outcome for each as it is ready. The journal has every step: after a kill, a document
   * whose handle is known is polled and downloaded, not uploaded again; a finished one is skipped. An upload that was under
   * way is `Ambiguous`. A download that was under way is `Lost` if the service does not give the document out again. Both
   * are uploaded again only if `resubmit` allows it.
   *
   * A file is known by its bytes, and by the options that change its translation: one that has changed is translated again,
   * and of equal ones one is uploaded and the others get copies of its output; see `DocumentTranslation.translate`.
   *
   * If an upload is refused with 429 because too many documents wait for their download, all uploads wait, while documents
   * that the service has are polled and downloaded.
   *
   * After an error that all later uploads would fail with too (`Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`,
   * `DiskFull`, a `DownloadLost` that could not be written, `DocumentJournalError`) no more items are pulled. Those that
   * were pulled get their outcome, and then the stream fails with the error. After the last four nothing is downloaded any
   * more either: the next run fetches the uploaded documents. While the service is down all calls wait, as the
   * `CircuitBreaker` says. The `QuotaPolicy` of the client says what a `QuotaExceeded` means.
   *
   * Source: service specification, Endpoints, Document translation; wire facts, Documents.
   */
  <A extends Item>(
    options?: Options<A>
  ): <E, R>(
    items: Stream.Stream<A, E, R>
  ) => Stream.Stream<
    Outcome<A>,
    E | DocumentTranslation.DocumentTranslationError,
    R | TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
  >
  /**
   * Translates files, and emits an outcome for each as it is ready. The journal has every step: after a kill, a document
   * whose handle is known is polled and downloaded, not uploaded again; a finished one is skipped. An upload that was under
   * way is `Ambiguous`. A download that was under way is `Lost` if the service does not give the document out again. Both
   * are uploaded again only if `resubmit` allows it.
   *
   * A file is known by its bytes, and by the options that change its translation: one that has changed is translated again,
   * and of equal ones one is uploaded and the others get copies of its output; see `DocumentTranslation.translate`.
   *
   * If an upload is refused with 429 because too many documents wait for their download, all uploads wait, while documents
   * that the service has are polled and downloaded.
   *
   * After an error that all later uploads would fail with too (`Unauthorized`, `QuotaExceeded`, `BudgetExceeded`, `Outage`,
   * `DiskFull`, a `DownloadLost` that could not be written, `DocumentJournalError`) no more items are pulled. Those that
   * were pulled get their outcome, and then the stream fails with the error. After the last four nothing is downloaded any
   * more either: the next run fetches the uploaded documents. While the service is down all calls wait, as the
   * `CircuitBreaker` says. The `QuotaPolicy` of the client says what a `QuotaExceeded` means.
   *
   * Source: service specification, Endpoints, Document translation; wire facts, Documents.
   */
  <A extends Item, E, R>(
    items: Stream.Stream<A, E, R>,
    options?: Options<A>
  ): Stream.Stream<
    Outcome<A>,
    E | DocumentTranslation.DocumentTranslationError,
    R | TranslateClient.TranslateClient | DocumentJournal.DocumentJournal | FileSystem.FileSystem | Path.Path
  >
} = dual(
  (args) => Predicate.hasProperty(args[0], Stream.StreamTypeId),
  <A extends Item, E, R>(items: Stream.Stream<A, E, R>, options: Options<A> = {}) =>
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
          // Work under way is finished first: an upload that is interrupted is ambiguous.
          Stream.catchAllCause((cause) => {
            sourceFailure = cause
            return Stream.empty
          }),
          Stream.interruptWhen(Deferred.await(shared.ended)),
          Stream.partitionEither(
            (item) => batch.triage(run, item, item.output ?? OutputPath.ofDocument(item)),
            {
              bufferSize: lookahead
            }
          )
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
  /** The items that `resubmit: ["ambiguous"]` uploads again. */
  readonly ambiguous: ReadonlyArray<Ambiguous<A>>
  /** The items that `resubmit: ["lost"]` uploads again. */
  readonly lost: ReadonlyArray<Lost<A>>
  /** The characters that the service has billed for translated documents. */
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
