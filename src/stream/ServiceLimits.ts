/**
 * The findings of streams about the service while they run: the options that it accepts, and the largest body. A stream
 * that gets the findings of another one need not learn them again.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The findings, as plain data for another process. It holds no text and no key.
 *
 * @since 0.1.0
 * @category schemas
 */
export const State = Schema.Struct({
  /** Hashes of the options that the service has accepted. */
  accepted: Schema.Array(Schema.Number),
  /** The most bytes of a body, by the path of its endpoint, after one was refused as too large (413). */
  maxBytes: Schema.Record({ key: Schema.String, value: Schema.Number })
}).annotations({ identifier: "ServiceLimitsState" })

/**
 * The findings, as plain data for another process.
 *
 * @since 0.1.0
 * @category models
 */
export interface State extends Schema.Schema.Type<typeof State> {}

/**
 * The findings for one stream: for an endpoint, and options.
 *
 * @since 0.1.0
 * @category models
 */
export interface Learned {
  /** Returns `true` once a request with these options has succeeded. Until then one request is sent at a time. */
  readonly isAccepted: () => boolean
  /** The most bytes of a body. */
  readonly maxBytes: () => number
  /** The service has accepted a body of `bytes` bytes with these options. */
  readonly accept: (bytes: number) => void
  /** The service has refused a body of `bytes` bytes as too large (413). */
  readonly refuse: (bytes: number) => void
  /** Notes that the service's bill is implausible. Returns `true` if that is new. */
  readonly doubtBill: () => boolean
}

/**
 * The shared findings of several streams: the option `serviceLimits` of the streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceLimits {
  /** The findings now. */
  readonly state: Effect.Effect<State>
  /** Adds the findings of others: options that were accepted, and the smaller bodies. */
  readonly learn: (state: State) => Effect.Effect<void>
  /** The findings for an endpoint with some options, by its path and a hash of the options. */
  readonly of: (path: string, options: number) => Learned
}

/** The share that the next bodies may have of one that was refused as too large. */
const nextShare = 0.9

/** Outside of Effect, for a stream that shares nothing. */
const unsafeMake = (initial?: State): ServiceLimits => {
  const accepted = new Set(initial?.accepted)
  const maxBytes = new Map(Object.entries(initial?.maxBytes ?? {}))
  /** The largest body that was accepted, by path: one that another process has sent may not be accepted any more. */
  const largest = new Map<string, number>()
  let isBillDoubted = false
  return {
    learn: (state) =>
      Effect.sync(() => {
        for (const options of state.accepted) accepted.add(options)
        for (const [path, bytes] of Object.entries(state.maxBytes)) {
          maxBytes.set(path, Math.min(maxBytes.get(path) ?? Number.POSITIVE_INFINITY, bytes))
        }
      }),
    state: Effect.sync(() => ({ accepted: Array.from(accepted), maxBytes: Object.fromEntries(maxBytes) })),
    of: (path, options) => ({
      isAccepted: () => accepted.has(options),
      maxBytes: () => maxBytes.get(path) ?? Number.POSITIVE_INFINITY,
      accept: (bytes) => {
        accepted.add(options)
        largest.set(path, Math.max(largest.get(path) ?? 0, bytes))
      },
      refuse: (bytes) => {
        const next = Math.max(Math.floor(bytes * nextShare), largest.get(path) ?? 0)
        maxBytes.set(path, Math.min(maxBytes.get(path) ?? Number.POSITIVE_INFINITY, next))
      },
      doubtBill: () => {
        const isNew = !isBillDoubted
        isBillDoubted = true
        return isNew
      }
    })
  }
}

/**
 * The findings of streams, starting from those of others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (initial?: State): Effect.Effect<ServiceLimits> => Effect.sync(() => unsafeMake(initial))
