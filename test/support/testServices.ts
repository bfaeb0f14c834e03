/**
 * `@effect/vitest` builds the services of each test, and of each run of a property, out of ten layers, which takes 3 ms: some 15 s
 * of `npm test`. These take 0.4 ms, with the same clock.
 */
import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as TestServices from "effect/TestServices"
import * as virtualClock from "./virtualClock.js"

declare module "@effect/vitest" {
  namespace Vitest {
    interface Methods<R = never> {
      /** In virtual time: what a test waits for takes none, and a test that hangs fails at once. For tests that need no socket or process. */
      readonly virtual: Tester<Scope.Scope | R>
    }
  }
}

const silent = Logger.remove(Logger.defaultLogger)

/** `TestContext`, without loggers. */
const layer = TestClock.defaultTestClock.pipe(
  Layer.provideMerge(
    Layer.succeedContext(Context.merge(DefaultServices.liveServices, TestServices.liveServices))
  ),
  Layer.provide(silent)
)

type Run = (test: Effect.Effect<unknown>) => Effect.Effect<unknown>

type Declare = (...args: ReadonlyArray<unknown>) => unknown

/** Declares tests that are run so by what declares tests that need nothing. */
const declaring =
  (run: Run) =>
  (declare: unknown): Declare =>
  (...args) =>
    (declare as Declare)(
      ...args.map((test) =>
        typeof test === "function"
          ? (...given: ReadonlyArray<unknown>) => run(Effect.suspend(() => test(...given)))
          : test
      )
    )

const tester = (run: Run) => {
  const { each, fails, only, prop, runIf, skip, skipIf } = it.live
  const so = declaring(run)
  return Object.assign(so(it.live), {
    skip: so(skip),
    skipIf: (condition: unknown) => so(skipIf(condition)),
    runIf: (condition: unknown) => so(runIf(condition)),
    only: so(only),
    each: (cases: ReadonlyArray<unknown>) => so(each(cases)),
    fails: so(fails),
    prop: so(prop)
  })
}

const provided = Effect.provide(layer)

Object.assign(it, {
  effect: tester(provided),
  scoped: tester((test) => provided(Effect.scoped(test))),
  virtual: tester((test) => virtualClock.run(Effect.scoped(test)).pipe(Effect.provide(silent)))
})
