/**
 * A cap on what jobs may spend, in characters (code points). It is reserved before a request is sent, so that nothing
 * goes over it, whatever the concurrency.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import type { StoreError } from "../store/StoreError.js"

/**
 * What has become of a budget, in characters.
 *
 * @since 0.1.0
 * @category models
 */
export interface State {
  /** The most that may be spent. */
  readonly cap: number
  /** Billed, or possibly billed by attempts whose result is unknown. */
  readonly spent: number
  /** Held for requests in flight. */
  readonly reserved: number
}

/**
 * A budget, of one job or of several. One that is kept in a database fails with a `StoreError` while that can't be used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Holds characters for a request; `false` if that would go over the cap. */
  readonly reserve: (characters: number) => Effect.Effect<boolean, StoreError>
  /** Gives back what was held for a request, and counts what it may have cost. If it fails, that stays held. */
  readonly settle: (reserved: number, spent: number) => Effect.Effect<void, StoreError>
  readonly state: Effect.Effect<State, StoreError>
}

/**
 * A budget that several jobs share.
 *
 * @since 0.1.0
 * @category tags
 */
export class Budget extends Context.Tag("effect-translate/Budget")<Budget, Service>() {}

/**
 * Not even the smallest text of the next request fits into the budget, or the next document does not: the job ends, and nothing more is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class BudgetExceeded extends TaggedError<BudgetExceeded>()(
  "BudgetExceeded",
  {
    /** The most that may be spent. */
    cap: Schema.Number,
    /** What is spent or held for requests in flight. */
    used: Schema.Number,
    /** What the smallest text of the next request, or the next document, may cost. */
    needed: Schema.Number
  },
  ({ cap, needed, used }) =>
    needed > cap
      ? `The budget of ${cap} characters is too small: what is next needs ${needed} by itself. Raise the budget to ${needed} at least.`
      : `The budget of ${cap} characters is used up: ${used} are spent or in flight, and what is next needs ${needed}. Raise the budget and go on with the texts that have no translation yet.`,
  { isFatal: true }
) {}

/**
 * Fails for a request that may cost so many characters (code points), which the budget did not hold.
 *
 * Errors: `BudgetExceeded`, and `StoreError` if the budget can't be read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const exceeded = (
  budget: Service,
  needed: number
): Effect.Effect<never, BudgetExceeded | StoreError> =>
  Effect.flatMap(budget.state, ({ cap, reserved, spent }) =>
    Effect.fail(new BudgetExceeded({ cap, used: spent + reserved, needed }))
  )

/**
 * Whether a value is a `BudgetExceeded`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isBudgetExceeded = is(BudgetExceeded)

/**
 * A budget of so many characters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (cap: number): Effect.Effect<Service> =>
  Effect.sync(() => {
    let spent = 0
    let held = 0
    return {
      reserve: (characters) =>
        Effect.sync(() => {
          const fits = spent + held + characters <= cap
          if (fits) held += characters
          return fits
        }),
      settle: (reserved, cost) =>
        Effect.sync(() => {
          held -= reserved
          spent += cost
        }),
      state: Effect.sync(() => ({ cap, spent, reserved: held }))
    }
  })

/**
 * A budget of so many characters, for all jobs that get this layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (cap: number): Layer.Layer<Budget> => Layer.effect(Budget, make(cap))
