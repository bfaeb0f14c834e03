/**
 * Why an object of a store, or what an address names, can't be read or written.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"

/**
 * Why an address can't be read or written. It holds no key, and of an address neither its query nor its user.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageError extends TaggedError<StorageError>()(
  "StorageError",
  {
    address: Schema.String,
    /**
     * `missing`: there is no such object. `changed`: it is not the version any more that was opened. `denied`: by what answers. `refused`:
     * by what the program allows. `unavailable`: the same may succeed a little later.
     */
    reason: Schema.Literal(
      "missing",
      "noBucket",
      "wrongRegion",
      "noCredentials",
      "denied",
      "refused",
      "changed",
      "unsupported",
      "unavailable"
    ),
    /** What has happened, and what to do. */
    detail: Schema.String
  },
  ({ address, detail }) => [address, detail],
  { isRetryable: ({ reason }) => reason === "unavailable" }
) {}

/**
 * No credentials for buckets, and what to do.
 *
 * @internal
 */
export const noCredentials = (detail: string): StorageError =>
  new StorageError({ address: "s3:", reason: "noCredentials", detail })

/**
 * Whether a value is a `StorageError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isStorageError = is(StorageError)
