import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TranslateClient from "../../../client/TranslateClient.js"
import * as TranslateError from "../../../client/TranslateError.js"
import * as DocumentSchema from "../../../document/DocumentSchema.js"
import * as DocumentTranslation from "../../../document/DocumentTranslation.js"
import type * as Budget from "../../../stream/Budget.js"
import { finishing, makeFlight } from "./activityHalt.js"
import type * as activitySchema from "./activitySchema.js"
import * as firstRun from "./firstRun.js"

/** The time for which a step waits by itself: short documents need one step. */
const patience = Duration.minutes(1)

/** The pauses between steps: they double from the shortest to the longest. */
const shortest = Duration.seconds(15)
const longest = Duration.minutes(5)

/** The longest pause while the quota is used up: a limit that is raised is noticed by then. */
const longestOfQuota = Duration.hours(4)

/** The reason for which a step has not ended. */
const Waiting = Schema.TaggedStruct("Waiting", {
  /**
   * `service`: the document is not done yet, or the service is busy or down. `quota`: it has refused the upload, since the quota is used
   * up. `journal`: another machine has the document, or the database is away.
   */
  on: Schema.Literal("service", "quota", "journal"),
  /** When the quota begins anew, in milliseconds from now. */
  period: Schema.optional(Schema.Number),
  error: DocumentSchema.DocumentTranslationError
})

/** The result of a step. */
export const Step = Schema.Union(
  Schema.TaggedStruct("Translated", { document: DocumentSchema.Translated }),
  Waiting
)

type Step = typeof Step.Type

/** The time until the quota begins anew, in milliseconds, if the service tells it. */
const period = Effect.gen(function* () {
  const { usage } = yield* TranslateClient.TranslateClient
  const { endTime } = yield* usage
  const now = yield* DateTime.now
  return endTime === undefined ? undefined : Math.max(0, DateTime.distance(now, endTime))
}).pipe(Effect.orElseSucceed(() => undefined))

/** The reason to wait by an error: the workflow waits if nothing was sent that may be billed, and time may help. */
const waitingFor = (error: DocumentTranslation.DocumentTranslationError) =>
  Effect.gen(function* () {
    if (error._tag === "DocumentOverdue") return { on: "service" as const, error }
    if (error._tag === "DocumentJournalError") {
      return error.handle === undefined ? { on: "journal" as const, error } : yield* Effect.fail(error)
    }
    if (!TranslateError.isTranslateError(error) || error.delivery === "ambiguous")
      return yield* Effect.fail(error)
    if (error._tag === "QuotaExceeded") return { on: "quota" as const, error, period: yield* period }
    return error.isRetryable ? { on: "service" as const, error } : yield* Effect.fail(error)
  })

/** Does the work that is left by the journal, as far as that is possible now. */
export const step = (
  { file, output, ...options }: activitySchema.DocumentPayload,
  running: {
    readonly budget?: Budget.Service | undefined
    readonly charactersPerDocument?: number | undefined
  }
) =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    const flight = makeFlight()
    const { documents } = client
    const tracked: TranslateClient.Service = {
      ...client,
      documents: {
        ...documents,
        upload: (...request) => Effect.scoped(Effect.zipRight(flight.begin, documents.upload(...request))),
        download: (...request) => Stream.unwrapScoped(Effect.as(flight.begin, documents.download(...request)))
      }
    }
    const translated = DocumentTranslation.translate(file, output, {
      ...options,
      ...running,
      deadline: patience
    }).pipe(
      Effect.map((document): Step => ({ _tag: "Translated", document })),
      Effect.provideService(TranslateClient.TranslateClient, tracked),
      Effect.catchAll((error) =>
        Effect.map(waitingFor(error), (waiting): Step => ({ _tag: "Waiting", ...waiting }))
      )
    )
    return yield* finishing(translated, flight)
  })

/** The states in which an upload may be repeated: once, so not by a run that goes on where another one was killed. */
export const resubmitOnce = (name: string, resubmit: activitySchema.DocumentPayload["resubmit"] = []) =>
  resubmit.length === 0
    ? Effect.succeed(resubmit)
    : Effect.map(firstRun.make(`${name}/resubmit`), (isFirst) => (isFirst ? resubmit : []))

/** The largest number of waits in a row for the journal. */
const mostOfJournal = 5

/** The pauses after steps that have waited. Deterministic, as the workflow that is run again comes here again. */
export const makePauses = ({
  deadline,
  quotaPause
}: {
  readonly deadline: Duration.Duration
  readonly quotaPause: Duration.Duration
}) => {
  let pause = shortest
  let waited = 0
  let ofJournal = 0
  let ofQuota = 0
  return ({ error, on, period }: typeof Waiting.Type): Effect.Effect<Duration.Duration, typeof error> => {
    ofJournal = on === "journal" ? ofJournal + 1 : 0
    ofQuota = on === "quota" ? ofQuota + 1 : 0
    if (on === "quota") {
      pause = shortest
      const most = Duration.max(quotaPause, longestOfQuota)
      const grown = Duration.min(Duration.times(quotaPause, 2 ** Math.min(ofQuota - 1, 10)), most)
      return Effect.succeed(
        period !== undefined && period > 0 ? Duration.min(grown, Duration.millis(period)) : grown
      )
    }
    if (waited >= Duration.toMillis(deadline) || ofJournal > mostOfJournal) return Effect.fail(error)
    const now = pause
    pause = Duration.min(Duration.times(pause, 2), longest)
    waited += Duration.toMillis(now) + Duration.toMillis(patience)
    return Effect.succeed(now)
  }
}
