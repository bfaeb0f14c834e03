/**
 * Every way in which a store of translations fails. None of these errors holds a text.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as systemCauses from "../internal/systemCauses.js"
import { is, TaggedError } from "../internal/taggedError.js"

/** The store that failed: a file, or the host and name of a database. */
const store = Schema.String

/**
 * The store can't be reached, or others have kept it busy for longer than the schedule of the store allows. Nothing that was not
 * stored has left the stream.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreUnavailable extends TaggedError<StoreUnavailable>()(
  "StoreUnavailable",
  {
    store,
    /** The code of the driver, such as `SQLITE_BUSY` or `ECONNREFUSED`. */
    code: Schema.String
  },
  ({ code, store }) =>
    `The store ${store} can't be used${systemCauses.because(code, "run the same again once it can; stored translations are not paid for again")}.`,
  { isRetryable: true, isFatal: true }
) {}

/**
 * The store is full: no more can be written.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreFull extends TaggedError<StoreFull>()(
  "StoreFull",
  { store },
  ({ store }) =>
    `There is no space left for the store ${store}. Make room on its disk, or prune the store, and run the same again.`,
  { isFatal: true }
) {}

/**
 * The store can only be read.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreReadOnly extends TaggedError<StoreReadOnly>()(
  "StoreReadOnly",
  { store },
  ({ store }) => `The store ${store} can't be written: make its file and its folder writable.`,
  { isFatal: true }
) {}

/**
 * The file is no store, or it is damaged.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreDamaged extends TaggedError<StoreDamaged>()(
  "StoreDamaged",
  { store },
  ({ store }) =>
    `${store} is damaged, or it is no store: effect-translate memory verify says what is wrong, and memory salvage saves its readable rows into a new one.`,
  { isFatal: true }
) {}

/**
 * The file of the store was replaced, moved or removed while it was in use. Later recordings are not in the file that is
 * there now, so nothing more is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreReplaced extends TaggedError<StoreReplaced>()(
  "StoreReplaced",
  { store },
  ({ store }) =>
    `The file of the store ${store} was replaced or removed while it was in use, so nothing more was sent. Leave it in its place while it is in use, and run the same again; effect-translate memory verify tells if the file there is whole.`,
  { isFatal: true }
) {}

/**
 * Another version of this library has written the store, with another layout.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreVersionUnknown extends TaggedError<StoreVersionUnknown>()(
  "StoreVersionUnknown",
  {
    store,
    /** The version of its tables. */
    version: Schema.Number,
    /** The version that is known here. */
    supported: Schema.Number
  },
  ({ store, supported, version }) =>
    `The tables of the store ${store} have version ${version}, and this version of effect-translate knows ${supported}: ${version > supported ? "update effect-translate" : "begin with another file or schema"}.`,
  { isFatal: true }
) {}

/**
 * The store keeps no texts, only their hashes: it can't tell the sources of its translations.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourcesNotKept extends TaggedError<SourcesNotKept>()(
  "SourcesNotKept",
  { store },
  ({ store }) =>
    `The store ${store} keeps hashes instead of texts, as it was told: only corrections can be exported.`,
  { isFatal: true }
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
  StoreReplaced,
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
 * Returns `true` for an error of a store.
 *
 * @since 0.1.0
 * @category guards
 */
export const isStoreError = is(StoreError)
