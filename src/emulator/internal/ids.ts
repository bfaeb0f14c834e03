import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** Of as many bits as a number holds exactly. */
const part = (digits: number) =>
  Effect.map(Random.nextIntBetween(0, 16 ** digits), (value) => value.toString(16).padStart(digits, "0"))

/** A UUID as the service assigns them. */
export const make: Effect.Effect<string> = Effect.map(
  Effect.all([part(8), part(4), part(3), part(3), part(12)]),
  ([a, b, c, d, e]) => `${a}-${b}-4${c}-8${d}-${e}`
)
