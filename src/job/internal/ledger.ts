import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TranslationStore from "../../store/TranslationStore.js"
import type * as JobReport from "../JobReport.js"

const why = {
  unknown: "no answer came, or it could not be read, or the job ended before it came",
  expired: "the process that had sent it was killed or stopped before it noted an answer"
} as const

const states = ["unknown", "expired"] as const

type Sums = Readonly<
  Record<JobReport.InDoubt["state"], { readonly attempts: number; readonly characters: number }>
>

const inDoubt = (sums: Sums): ReadonlyArray<JobReport.InDoubt> =>
  states
    .filter((state) => sums[state].attempts > 0)
    .map((state) => ({
      state,
      why: why[state],
      requests: sums[state].attempts,
      characters: sums[state].characters
    }))

const none: Sums = {
  unknown: { attempts: 0, characters: 0 },
  expired: { attempts: 0, characters: 0 }
}

/** What may be paid twice, as the ledger of the store says; `undefined` if it can't be read. */
export const read = (
  since: DateTime.Utc
): Effect.Effect<JobReport.JobReport["inDoubt"], never, TranslationStore.TranslationStore> =>
  Effect.gen(function* () {
    const store = yield* TranslationStore.TranslationStore
    const { attempts: everything } = yield* store.stats
    const sinceStart = yield* Stream.runFold(store.attempts, none, (sums, { at, characters, state }) =>
      (state === "unknown" || state === "expired") && DateTime.greaterThanOrEqualTo(at, since)
        ? {
            ...sums,
            [state]: {
              attempts: sums[state].attempts + 1,
              characters: sums[state].characters + characters
            }
          }
        : sums
    )
    return { sinceStart: inDoubt(sinceStart), everything: inDoubt(everything) }
  }).pipe(Effect.orElseSucceed(() => undefined))
