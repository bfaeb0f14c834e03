/**
 * The billed calls of the library as activities of `@effect/workflow`, for workflows of your own.
 *
 * An engine runs an activity again if its process has died before the result was in the journal. These activities pay nothing twice:
 * translations in a store, and documents in a journal, are not paid for again, and requests in doubt are not sent again blindly.
 *
 * The `name` of an activity is its key in the journal of an execution. It has to be unique there, and the same in every run: make it of
 * the activity's subject (`translate/de`), and not of a position in a list that may change. Two activities of one name share one
 * result. Results stay in the journal, so texts do, too.
 *
 * Provide the client and the store outside of the engine (`Layer.provideMerge(engine), Layer.provide(services)`): they end after it
 * then, and a process that is told to end waits for requests in flight.
 *
 * A request that the service refuses for the moment (429, 503) is sent again inside of an activity, as the `RetryPolicy` says.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import type { WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Text from "../api/Text.js"
import * as WriteApi from "../api/Write.js"
import * as TranslateClient from "../client/TranslateClient.js"
import * as Translator from "../client/Translator.js"
import type * as DocumentJournal from "../document/DocumentJournal.js"
import * as DocumentSchema from "../document/DocumentSchema.js"
import type * as DocumentTranslation from "../document/DocumentTranslation.js"
import * as GlossarySync from "../glossary/GlossarySync.js"
import type * as Budget from "../stream/Budget.js"
import * as TranslateStream from "../stream/TranslateStream.js"
import * as WriteStream from "../stream/WriteStream.js"
import * as activitySchema from "./internal/activities/activitySchema.js"
import * as steps from "./internal/activities/documentActivities.js"
import type { TextsOptions } from "./internal/activities/textActivity.js"
import * as texts from "./internal/activities/textActivity.js"

/**
 * The payloads, results and errors of activities: for payload, success and error of a workflow.
 *
 * @since 0.1.0
 * @category schemas
 */
export {
  type CorrectPayload,
  DocumentPayload,
  GlossaryError,
  GlossaryPayload,
  type IdentifiedGlossary,
  InDoubt,
  isInDoubt,
  type NamedGlossary,
  type ProjectGlossary,
  type RephrasePayload,
  Texts,
  TextsError,
  TranslatePayload,
  WritePayload
} from "./internal/activities/activitySchema.js"

/**
 * Options of an activity that translates.
 *
 * @since 0.1.0
 * @category models
 */
export type { TextsOptions } from "./internal/activities/textActivity.js"

/**
 * Options for translating texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateOptions
  extends TextsOptions,
    Pick<
      TranslateStream.Options,
      "budget" | "concurrency" | "placeholders" | "progress" | "serviceLimits" | "oversized"
    > {
  /** The texts, their language and the options of the service. */
  readonly payload: activitySchema.TranslatePayload
}

/**
 * Translates texts, at most 4 MiB of them. They are packed into as many requests as they need.
 *
 * Give it a store: the activity pays for nothing again that is recorded there, by itself or by others. Without one it is all
 * or nothing: the journal knows whether something was sent, and after a crash the activity fails with `InDoubt`, so keep it
 * to the 50 texts of one request. Told to end (SIGTERM), the process waits for requests in flight, for 10 seconds at most,
 * and their translations are in the store; without one they are in doubt then, too.
 *
 * A text that can't be translated is in `failures`. An error that ends a stream, such as `QuotaExceeded`, fails the
 * activity.
 *
 * @since 0.1.0
 * @category constructors
 */
export const translate: (
  options: TranslateOptions
) => Activity.Activity<typeof activitySchema.Texts, typeof activitySchema.TextsError, Translator.Translator> =
  ({ name, onInDoubt, payload: { texts: given, ...options }, store, ...running }) =>
    Activity.make({
      name,
      success: activitySchema.Texts,
      error: activitySchema.TextsError,
      execute: texts.run(
        { name, onInDoubt, store, texts: given, endpoint: Text.translateText },
        (source, store) => TranslateStream.translate(source, { ...running, ...options, store }),
        (once) => (effect) =>
          Effect.flatMap(Translator.Translator, (translator) =>
            Effect.provideService(effect, Translator.Translator, {
              ...translator,
              translate: (...request) => once(translator.translate(...request))
            })
          )
      )
    })

/**
 * Options for improving texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface WriteOptions
  extends TextsOptions,
    Pick<WriteStream.RephraseOptions, "concurrency" | "progress" | "serviceLimits"> {
  /** The texts and the options of the service. */
  readonly payload: activitySchema.WritePayload
}

/**
 * Rephrases or corrects texts. The same holds as for {@link translate}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const write: (
  options: WriteOptions
) => Activity.Activity<
  typeof activitySchema.Texts,
  typeof activitySchema.TextsError,
  TranslateClient.TranslateClient
> = ({ name, onInDoubt, payload, store, ...running }) =>
  Activity.make({
    name,
    success: activitySchema.Texts,
    error: activitySchema.TextsError,
    execute: texts.run(
      {
        name,
        onInDoubt,
        store,
        texts: payload.texts,
        endpoint: payload.mode === "rephrase" ? WriteApi.rephrase : WriteApi.correct
      },
      (source, store) =>
        payload.mode === "rephrase"
          ? WriteStream.rephrase(source, { ...running, ...Struct.omit(payload, "mode", "texts"), store })
          : WriteStream.correct(source, { ...running, ...Struct.omit(payload, "mode", "texts"), store }),
      (once) => (effect) =>
        Effect.flatMap(TranslateClient.TranslateClient, (client) =>
          Effect.provideService(effect, TranslateClient.TranslateClient, {
            ...client,
            write: {
              rephrase: (request) => once(client.write.rephrase(request)),
              correct: (request) => once(client.write.correct(request))
            }
          })
        )
    )
  })

/**
 * Options for a glossary.
 *
 * @since 0.1.0
 * @category models
 */
export interface GlossaryOptions {
  /** The key in the journal: unique in an execution, and the same in every run. */
  readonly name: string
  /** The name and the dictionaries of the glossary. */
  readonly payload: activitySchema.GlossaryPayload
}

/**
 * Makes a glossary of the service equal to dictionaries. It bills nothing, and a run after a crash does the rest of the work. Its report
 * holds the sources of entries that were changed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const glossarySync: (
  options: GlossaryOptions
) => Activity.Activity<
  typeof GlossarySync.Report,
  typeof activitySchema.GlossaryError,
  TranslateClient.TranslateClient
> = ({ name, payload }) =>
  Activity.make({
    name,
    success: GlossarySync.Report,
    error: activitySchema.GlossaryError,
    execute: GlossarySync.sync(payload)
  })

/**
 * Options for translating a document.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentOptions {
  /** The prefix of keys in the journal: unique in an execution, and the same in every run. */
  readonly name: string
  /** Which file becomes which, and how. */
  readonly payload: activitySchema.DocumentPayload
  /** The time to wait in all for the service, or while it is busy or down. The quota is waited for without end. @default 1 day */
  readonly deadline?: Duration.DurationInput | undefined
  /**
   * When to try again once the quota is used up (456): after that time, then twice as long, up to 4 hours, and once its period ends.
   * @default 15 minutes
   */
  readonly quotaPause?: Duration.DurationInput | undefined
  /** The characters that uploads may spend. @default no cap */
  readonly budget?: Budget.Service | undefined
  /** The characters of the budget that are reserved for a document that is not done. @default 1 */
  readonly charactersPerDocument?: number | undefined
}

/**
 * Translates a file into another file: uploads it, waits, and downloads the translation, in as many activities as that takes
 * (`name/0`, `name/1`), with durable sleeps between them. So the workflow leaves the memory while it waits, and may go on
 * elsewhere.
 *
 * The `DocumentJournal` knows the finished steps, and has to be the same on every machine: see `SqlDocumentJournal`. An
 * upload is sent once, also if a process dies in between. One whose answer was lost is an `AmbiguousUpload`, now and later,
 * until `resubmit` allows another. Told to end (SIGTERM), the process lets uploads and downloads in flight come to their
 * end, for 10 seconds at most.
 *
 * @since 0.1.0
 * @category constructors
 */
export const document: (
  options: DocumentOptions
) => Effect.Effect<
  DocumentTranslation.Translated,
  DocumentTranslation.DocumentTranslationError,
  | WorkflowEngine
  | WorkflowInstance
  | TranslateClient.TranslateClient
  | DocumentJournal.DocumentJournal
  | FileSystem.FileSystem
  | Path.Path
> = Effect.fnUntraced(function* ({
  deadline = "1 day",
  name,
  payload,
  quotaPause = "15 minutes",
  ...running
}) {
  const pauseAfter = steps.makePauses({
    deadline: Duration.decode(deadline),
    quotaPause: Duration.decode(quotaPause)
  })
  const resubmit = yield* steps.resubmitOnce(name, payload.resubmit)
  for (let number = 0; ; number++) {
    const step = yield* Activity.make({
      name: `${name}/${number}`,
      success: steps.Step,
      error: DocumentSchema.DocumentTranslationError,
      execute: steps.step({ ...payload, resubmit: number === 0 ? resubmit : [] }, running)
    })
    if (step._tag === "Translated") return step.document
    const duration = yield* pauseAfter(step)
    yield* DurableClock.sleep({ name: `${name}/${number}`, duration })
  }
})
