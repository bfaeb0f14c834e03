/**
 * The files that jobs read and write by addresses: objects of buckets, and files behind `https:`. Local files need none
 * of it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { RandomAccess } from "../internal/randomAccess.js"
import * as Address from "./Address.js"
import { StorageError } from "./StorageError.js"

/**
 * One version of the file of an address. A read gets bytes of this version, or fails as `changed`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Opened extends RandomAccess<StorageError> {
  /** The name of the version, which differs from those of others. */
  readonly version: string
  /** All of its bytes. A read that is cut goes on where it was. */
  readonly bytes: Stream.Stream<Uint8Array, StorageError>
}

/**
 * An object whose bytes were sent, and that has no name yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface Draft {
  /** Gives it its name. An earlier object of the name is replaced. Its version, where the store tells it. */
  readonly publish: Effect.Effect<string | undefined, StorageError>
}

/**
 * An object of a listing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly address: string
  readonly size: number
}

/**
 * The operations on addresses of a kind.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Opens the current version, or the `version` that is asked for. */
  readonly open: (address: string, version?: string) => Effect.Effect<Opened, StorageError>
  /** Sends the bytes of an object. A draft that was not published is gone with the scope. */
  readonly draft: <E, R>(
    address: string,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<Draft, E | StorageError, R | Scope.Scope>
  /** All objects whose addresses begin with a prefix, in the order of their keys. */
  readonly list: (prefix: string) => Stream.Stream<Entry, StorageError>
}

/** All methods of a kind of addresses that nothing is known of, or that takes no outputs. */
const refusing = (detail: string): Service => {
  const fail = (address: string) =>
    Effect.fail(new StorageError({ address: Address.shown(address), reason: "refused", detail }))
  return { open: fail, draft: fail, list: (prefix) => Stream.fromEffect(fail(prefix)) }
}

const notGiven = (name: string) =>
  `no service for it was given: provide NodeStorage.layerConfig() of effect-translate/node to the job, or the layer of ${name}`

/**
 * The services of all kinds of addresses; each kind that is left out is refused.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** `s3://bucket/key`: see `S3Storage`. */
  readonly s3?: Service | undefined
  /** `https://host/path`, and `http:` where its service allows that: see `HttpStorage`. */
  readonly https?: Service | undefined
}

/**
 * Makes one service of those of several kinds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Service = ({
  https = refusing(notGiven("HttpStorage")),
  s3 = refusing(notGiven("S3Storage"))
}) => {
  const serviceOf = (address: string) => (Address.isObject(address) ? s3 : https)
  return {
    open: (address, version) => serviceOf(address).open(address, version),
    draft: (address, bytes) => serviceOf(address).draft(address, bytes),
    list: (prefix) => serviceOf(prefix).list(prefix)
  }
}

/**
 * The files that jobs read and write by addresses. Without a layer, addresses are refused.
 *
 * @since 0.1.0
 * @category tags
 */
export class Storage extends Context.Reference<Storage>()<"effect-translate/Storage", Service>(
  "effect-translate/Storage",
  { defaultValue: () => make({}) }
) {}

/**
 * A layer of the services of several kinds.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<never> =>
  Layer.succeedContext(Context.make(Storage, make(options))) as Layer.Layer<never>
