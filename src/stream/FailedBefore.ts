/**
 * A text that is not sent, since the service has failed with it before.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"

/**
 * The service has failed with this text alone while it has answered others, so the store has kept it from being sent and billed once more.
 *
 * @since 0.1.0
 * @category errors
 */
export class FailedBefore extends TaggedError<FailedBefore>()(
  "FailedBefore",
  {
    /** About how many runs have met it. */
    failures: Schema.Number,
    /** When the last one did. */
    at: Schema.DateTimeUtc
  },
  ({ at, failures }) =>
    `The service has failed with this text ${failures === 1 ? "before" : `${failures} times`}, last at ${DateTime.formatIso(at)}, so it was not sent. Change it, give the store a correction, or ask once more: retryFailed, --retry-failed.`
) {}

/**
 * Returns `true` for a `FailedBefore`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFailedBefore = /* #__PURE__ */ is(FailedBefore)
