/**
 * A cap on the characters (code points) that jobs spend. It is reserved before a request is sent, so that nothing goes over
 * it, at any concurrency.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import type { StoreError } from "../store/StoreError.js"

/**
 * The state of a budget, in characters.
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
  /** Gives back the characters held for a request, and counts those that it may have cost. If it fails, they stay held. */
  readonly settle: (reserved: number, spent: number) => Effect.Effect<void, StoreError>
  readonly state: Effect.Effect<State, StoreError>
}

/**
 * Not even the smallest text of the next request fits into the budget, or the next document does not: the job ends, and
 * nothing more is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class BudgetExceeded extends TaggedError<BudgetExceeded>()(
  "BudgetExceeded",
  {
    /** The most that may be spent. */
    cap: Schema.Number,
    /** The characters that are spent, or held for requests in flight. */
    used: Schema.Number,
    /** The cost of the smallest text of the next request, or of the next document. */
    needed: Schema.Number
  },
  ({ cap, needed, used }) =>
    needed > cap
      ? `The budget of ${cap} characters is too small: the next request needs ${needed} by itself. Raise \`budget\` to ${needed} at least.`
      : `The budget of ${cap} characters is used up: ${used} are spent or in flight, and the next request needs ${needed}. Raise \`budget\`, or translate the rest with a budget of its own: with a store, the same again does that.`,
  { isFatal: true }
) {}

/**
 * Fails for a request whose possible cost, in characters (code points), the budget did not hold.
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
 * Returns `true` for a `BudgetExceeded`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isBudgetExceeded = /* #__PURE__ */ is(BudgetExceeded)

/**
 * A budget of this number of characters.
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
