/** Which steps a worker does at once. */
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as gates from "../../src/workflow/internal/steps/jobAdmission.js"
import type { Opened } from "../../src/workflow/internal/steps/openJobs.js"
import * as stepRunner from "../../src/workflow/internal/steps/stepRunner.js"
import type { Service as Jobs } from "../../src/workflow/internal/tables/jobTables.js"

const job = { id: "catalogue", generation: 1 }

const steps = Effect.gen(function* () {
  const jobs = {
    listActive: Effect.succeed([{ ...job, isStarted: true, desired: "run" as const, waiting: undefined }])
  } as unknown as Jobs
  return yield* stepRunner.make<never, never>({
    jobs,
    gate: yield* gates.make(jobs),
    open: () => Effect.succeed({ settled: Effect.void } as Opened<never, never>),
    concurrency: 1,
    drain: Duration.zero,
    scope: yield* Effect.scope,
    onEvent: () => Effect.void,
    quotaSchedule: Schedule.stop,
    outageSchedule: Schedule.stop,
    usage: Effect.never
  })
})

it.scoped("a step that has begun on a worker that is gone waits for none that has not", () =>
  Effect.gen(function* () {
    const { run } = yield* steps
    const begun: Array<string> = []
    const isBusy = yield* Deferred.make<void>()
    const endless = (name: string) => () =>
      Effect.suspend(() => {
        const told = begun.push(name) === 2 ? Deferred.succeed(isBusy, undefined) : Effect.void
        return Effect.zipRight(told, Effect.never)
      })
    for (const name of ["first", "second", "third"]) yield* Effect.forkScoped(run(job, endless(name)))
    yield* Deferred.await(isBusy)
    const done = () => Effect.succeed(Either.right("done"))
    expect(yield* run(job, done, true)).toEqual(Option.some("done"))
    expect(begun).toEqual(["first", "second"])
  })
)
