/**
 * The reason for which an object of a store, or the file of an address, can't be read or written.
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
     * `missing`: there is no such object. `changed`: it is not the version any more that was opened. `denied`: by the
     * server. `refused`: by the program's own rules. `proxyRefused`: by the proxy before it. `unavailable`: the same may
     * succeed a little later.
     */
    reason: Schema.Literal(
      "missing",
      "noBucket",
      "wrongRegion",
      "noCredentials",
      "denied",
      "refused",
      "proxyRefused",
      "changed",
      "unsupported",
      "unavailable"
    ),
    /** The cause, and advice. */
    detail: Schema.String
  },
  ({ address, detail }) => [address, detail],
  { isRetryable: ({ reason }) => reason === "unavailable" }
) {}

/**
 * No credentials for buckets, with advice.
 *
 * @internal
 */
export const noCredentials = (detail: string): StorageError =>
  new StorageError({ address: "s3:", reason: "noCredentials", detail })

/**
 * The error of a proxy's refusal, by its status.
 *
 * @internal
 */
export const proxyRefused = (address: string, status: number): StorageError =>
  new StorageError({
    address,
    reason: "proxyRefused",
    detail:
      status === 407
        ? "the proxy does not accept the name and the password: correct them in its address, http://user:password@host:port with %40 for an @ within them"
        : `the proxy lets nothing through (status ${status}): check which hosts it allows, and whether NO_PROXY should name this one`
  })

/**
 * Returns `true` for a `StorageError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isStorageError = is(StorageError)
