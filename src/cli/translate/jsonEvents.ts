/** The `--json` events of a job while it runs. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as monotonic from "../../internal/monotonic.js"
import type * as JobSource from "../../job/JobSource.js"
import * as Progress from "../../stream/Progress.js"
import type * as Output from "../output.js"

/** The interval between events of progress, in milliseconds. */
const interval = 2000

/** Tells progress now and then, when outages begin and end, and that the job is stopping. */
export const ofProgress =
  (output: Output.Service, progress: Progress.Progress, requested: Effect.Effect<void>) =>
  <A, Err, R>(self: Effect.Effect<A, Err, R>): Effect.Effect<A, Err, R> =>
    output.json
      ? Effect.scopedWith((scope) =>
          Effect.zipRight(
            Effect.forkIn(Effect.zipRight(requested, output.event({ type: "stopping" })), scope),
            Progress.watch(self, progress, states(output))
          )
        )
      : self

const states = (output: Output.Service) => {
  let told = 0
  let outage: string | undefined
  return (state: Progress.State) =>
    Effect.gen(function* () {
      if (state.outage !== outage) {
        outage = state.outage
        yield* output.event(
          outage === undefined ? { type: "outageEnded" } : { type: "outageBegan", error: outage }
        )
      }
      const now = yield* monotonic.millis
      if (now - told < interval) return
      told = now
      const { nextTry: _, timeLeft, ...figures } = state
      yield* output.event({
        type: "progress",
        ...figures,
        ...(timeLeft === undefined ? {} : { secondsLeft: Math.round(Duration.toSeconds(timeLeft)) })
      })
    })
}

type Result<Err> = Either.Either<JobSource.Written, Err>

/** A source that tells which of its outputs are written. */
export const ofOutputs =
  (output: Output.Service) =>
  <Err, R>(source: JobSource.JobSource<Err, R>): JobSource.JobSource<Err, R> => ({
    ...source,
    translate: (translations) =>
      Effect.tap(source.translate(translations), (results: ReadonlyArray<Result<unknown>>) =>
        Effect.forEach(
          results,
          (result, index) => {
            const { targetLang } = translations[index]!.options
            return Either.isRight(result)
              ? output.event({ type: "output", source: source.name, targetLang, ...result.right })
              : Effect.void
          },
          { discard: true }
        )
      )
  })
