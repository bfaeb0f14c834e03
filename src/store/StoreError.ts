/**
 * Every way in which a store of translations fails. None of these errors holds a text.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as taggedError from "../internal/taggedError.js"

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/StoreError")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/** The store that failed: a file, or the host and name of a database. */
const store = Schema.String

/**
 * The store can't be reached, or others have kept it busy for longer than the schedule of the store allows. Nothing that was not
 * stored has left the stream.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreUnavailable extends error<StoreUnavailable>()(
  "StoreUnavailable",
  {
    store,
    /** What the driver says: a code such as `SQLITE_BUSY` or `ECONNREFUSED`. */
    code: Schema.String
  },
  ({ code, store }) =>
    code === "SQLITE_CANTOPEN"
      ? `The store ${store} can't be opened: make its folder, and make both readable and writable.`
      : `The store ${store} can't be used (${code}). Run the same again once it can: what was stored is not paid for again.`
) {}

/**
 * The store is full: no more can be written.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreFull extends error<StoreFull>()(
  "StoreFull",
  { store },
  ({ store }) =>
    `There is no space left for the store ${store}. Make room on its disk, or prune the store, and run the same again.`
) {}

/**
 * The store can only be read.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreReadOnly extends error<StoreReadOnly>()(
  "StoreReadOnly",
  { store },
  ({ store }) => `The store ${store} can't be written: make its file and its folder writable.`
) {}

/**
 * The file is no store, or it is damaged.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreDamaged extends error<StoreDamaged>()(
  "StoreDamaged",
  { store },
  ({ store }) => `${store} is damaged, or it is no store: restore a backup, or begin with another file.`
) {}

/**
 * A newer version of this library has written the store.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreVersionUnknown extends error<StoreVersionUnknown>()(
  "StoreVersionUnknown",
  {
    store,
    /** The version of its tables. */
    version: Schema.Number,
    /** The newest version that is known here. */
    supported: Schema.Number
  },
  ({ store, supported, version }) =>
    `The store ${store} has version ${version}; this version of effect-translate knows ${supported} at most: update effect-translate.`
) {}

/**
 * The store keeps no texts, only their hashes: it can't tell what its translations are translations of.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourcesNotKept extends error<SourcesNotKept>()(
  "SourcesNotKept",
  { store },
  ({ store }) =>
    `The store ${store} was told to keep hashes instead of texts, so it can't export them. Only corrections can be exported.`
) {}

/**
 * Why a store fails.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StoreError = Schema.Union(
  StoreUnavailable,
  StoreFull,
  StoreReadOnly,
  StoreDamaged,
  StoreVersionUnknown,
  SourcesNotKept
)

/**
 * Why a store fails.
 *
 * @since 0.1.0
 * @category errors
 */
export type StoreError = typeof StoreError.Type

/**
 * Whether a value is an error of a store.
 *
 * @since 0.1.0
 * @category guards
 */
export const isStoreError = (value: unknown): value is StoreError => Predicate.hasProperty(value, TypeId)
