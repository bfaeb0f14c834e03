/**
 * What streams learn of the service while they run: which options it accepts, and how large a body may be. A stream
 * that gets what another one has learned need not learn it again.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * What was learned, as plain data for another process. It holds no text and no key.
 *
 * @since 0.1.0
 * @category schemas
 */
export const State = Schema.Struct({
  /** Hashes of the options that the service has accepted. */
  accepted: Schema.Array(Schema.Number),
  /** Bodies by the path of their endpoint, in bytes. */
  bodies: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      /** The largest that was accepted. */
      largest: Schema.Number,
      /** The most to send, after one was refused as too large (413). */
      most: Schema.optional(Schema.Number)
    })
  })
}).annotations({ identifier: "ServiceLimitsState" })

/**
 * What was learned, as plain data for another process.
 *
 * @since 0.1.0
 * @category models
 */
export interface State extends Schema.Schema.Type<typeof State> {}

/**
 * What is known for one stream: an endpoint, and options.
 *
 * @since 0.1.0
 * @category models
 */
export interface Learned {
  /** Whether a request with these options has succeeded. Until then one request is sent at a time. */
  readonly isAccepted: () => boolean
  /** The most bytes of a body. */
  readonly maxBytes: () => number
  /** The service has accepted a body of so many bytes with these options. */
  readonly accept: (bytes: number) => void
  /** The service has refused a body of so many bytes as too large (413). */
  readonly refuse: (bytes: number) => void
}

/**
 * What several streams learn together: the option `serviceLimits` of the streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceLimits {
  /** What is known now. */
  readonly state: Effect.Effect<State>
  /** What is known of an endpoint with some options, by its path and a hash of the options. */
  readonly of: (path: string, options: number) => Learned
}

/** How much of a body that was refused as too large the next ones may have. */
const nextShare = 0.9

/** Outside of Effect, for a stream that shares nothing. */
const unsafeMake = (initial?: State): ServiceLimits => {
  const accepted = new Set(initial?.accepted)
  const bodies = new Map(
    Object.entries(initial?.bodies ?? {}).map(([path, { largest, most = Number.POSITIVE_INFINITY }]) => [
      path,
      // What another process has seen accepted may not be accepted any more.
      { largest, most, seen: 0 }
    ])
  )
  return {
    state: Effect.sync(() => ({
      accepted: Array.from(accepted),
      bodies: Object.fromEntries(
        Array.from(bodies, ([path, { largest, most }]) => [
          path,
          Number.isFinite(most) ? { largest, most } : { largest }
        ])
      )
    })),
    of: (path, options) => {
      const body = bodies.get(path) ?? { largest: 0, most: Number.POSITIVE_INFINITY, seen: 0 }
      bodies.set(path, body)
      return {
        isAccepted: () => accepted.has(options),
        maxBytes: () => body.most,
        accept: (bytes) => {
          accepted.add(options)
          body.largest = Math.max(body.largest, bytes)
          body.seen = Math.max(body.seen, bytes)
        },
        refuse: (bytes) => {
          body.most = Math.min(body.most, Math.max(Math.floor(bytes * nextShare), body.seen))
        }
      }
    }
  }
}

/**
 * What streams learn, starting from what others have learned.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (initial?: State): Effect.Effect<ServiceLimits> => Effect.sync(() => unsafeMake(initial))
