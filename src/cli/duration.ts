/** Times that people write, such as `90d`. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Usage, usage } from "./failure.js"

const units = { m: "minutes", h: "hours", d: "days", w: "weeks" } as const

/** A time such as `90d`. A year is 365 days. */
export const parse = (flag: string, given: string): Effect.Effect<Duration.Duration, Usage> => {
  const [, figure, unit] = /^(\d+)\s*([mhdwy])$/i.exec(given.trim()) ?? []
  const key = unit?.toLowerCase() as keyof typeof units | "y" | undefined
  return key === undefined
    ? usage(`${flag} ${given}: give a number and m, h, d, w or y, such as 90d.`)
    : Effect.succeed(
        key === "y" ? Duration.days(365 * Number(figure)) : Duration.decode(`${Number(figure)} ${units[key]}`)
      )
}
