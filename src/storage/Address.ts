/**
 * Addresses of remote files: `s3://bucket/key` and `https://host/path`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { StorageError } from "./StorageError.js"

/**
 * Returns `true` if a path is an address.
 *
 * @since 0.1.0
 * @category guards
 */
export const isAddress = (path: string): boolean => /^(s3|https?):\/\//i.test(path)

/**
 * Returns `true` for the address of an object in a bucket. Its version tells its bytes; the version of `https:` may be a date.
 *
 * @since 0.1.0
 * @category guards
 */
export const isObject = (address: string): boolean => /^s3:/i.test(address)

/**
 * An address as it may be shown and stored: without the user, query and fragment that may hold a signature. Other paths stay as they are.
 *
 * @since 0.1.0
 * @category combinators
 */
export const shown = (path: string): string => {
  if (!/^https?:\/\//i.test(path)) return path
  const bare = path.replace(/[?#].*$/s, "")
  return bare.replace(/^([^/]*\/\/)[^/]*@/, "$1")
}

/**
 * True if an address holds a secret: a signature, or a password.
 *
 * @since 0.1.0
 * @category guards
 */
export const hasSecret = (path: string): boolean => shown(path) !== path

/**
 * The problem of prefixes of addresses: each has a bucket or a host, so that {@link isWithin} may hold for it. The
 * message shows nothing of them, as one may hold a password.
 *
 * @internal
 */
export const prefixesProblem = (prefixes: ReadonlyArray<string>): string | undefined => {
  const wrong = prefixes.findIndex((prefix) => normal(prefix) === undefined || /^s3:\/\/(\/|$)/i.test(prefix))
  return wrong === -1
    ? undefined
    : `entry ${wrong + 1} is no address with a host. Write what addresses begin with, such as http://127.0.0.1:8080/exports/ or s3://bucket/in/.`
}

/**
 * Returns `true` if an address begins with another one, name by name: `s3://bucket/in` holds `s3://bucket/in/a.csv` and
 * not `s3://bucket/inner`. Hosts and ports are compared in their normal form, and a path that leads out of a folder is in none.
 *
 * @since 0.1.0
 * @category guards
 */
export const isWithin = (prefix: string, address: string): boolean => {
  const [outer, inner] = [normal(prefix), normal(address)]
  return (
    outer !== undefined &&
    inner !== undefined &&
    (inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`))
  )
}

/** An address reduced to its target. */
const normal = (address: string): string | undefined => {
  if (/^s3:\/\//i.test(address)) {
    return address.split("/").some((name) => name === "." || name === "..")
      ? undefined
      : `s3://${address.slice(5)}`
  }
  if (!isAddress(address) || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  // A server may take an encoded slash, or a backslash, for one.
  return /%2f|%5c|\\/i.test(pathname) ? undefined : `${origin}${pathname}`
}

/**
 * Where an object is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Location {
  readonly bucket: string
  readonly key: string
}

const isBucket = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i

/**
 * The address of an object. Its key is written as it is, not percent-encoded.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of: (location: Location) => string = ({ bucket, key }) => `s3://${bucket}/${key}`

/**
 * Reads the address of an object. Names of `.` and `..` in a key are refused: programs on the way would take them for folders.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parse = (address: string): Effect.Effect<Location, StorageError> => {
  const [, bucket = "", key = ""] = /^s3:\/\/([^/]*)\/(.*)$/is.exec(address) ?? []
  const fail = (detail: string) => Effect.fail(new StorageError({ address, reason: "refused", detail }))
  if (!isBucket.test(bucket)) return fail("it names no bucket: write s3://bucket/key")
  if (key === "" || key.endsWith("/")) return fail("it names no object: write s3://bucket/key")
  if (key.split("/").some((name) => name === "." || name === "..")) {
    return fail("its key has a name of dots, which would be taken for a folder: give the object another key")
  }
  return Effect.succeed({ bucket, key })
}
