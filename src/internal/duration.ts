import * as Duration from "effect/Duration"

/** A duration for a message, no finer than a reader needs: to a tenth of a second below ten, to a second above. */
export const format = (duration: Duration.Duration): string => {
  const millis = Duration.toMillis(duration)
  if (!Number.isFinite(millis)) return Duration.format(duration)
  const unit = millis < 1000 ? 1 : millis < 10_000 ? 100 : 1000
  return Duration.format(Duration.millis(Math.round(millis / unit) * unit))
}
