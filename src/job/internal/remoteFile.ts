/** Files of jobs that are addresses, as far as the file system knows its own: reading and writing them. */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Address from "../../storage/Address.js"
import * as Storage from "../../storage/Storage.js"
import { isStorageError, type StorageError } from "../../storage/StorageError.js"
import { type ReadError, SourceChanged, SourceUnreadable, unavailable } from "../FileSourceError.js"

/** The version that is there now; `undefined` if there is none. */
export const infoOf = (address: string): Effect.Effect<Storage.Opened | undefined, StorageError> =>
  Effect.flatMap(Storage.Storage, ({ open }) => open(address)).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "missing",
      () => Effect.succeed(undefined)
    )
  )

/** Why an address can't be read. */
export const unreadable =
  (address: string) =>
  (error: StorageError): ReadError => {
    const path = Address.shown(address)
    if (error.reason === "changed") return new SourceChanged({ path })
    return unavailable(path, error) ?? new SourceUnreadable({ path, reason: error.detail })
  }

/** Opens a version: the current one, or an earlier one. */
export const open = (address: string, version?: string) =>
  Effect.flatMap(Storage.Storage, ({ open }) => open(address, version)).pipe(
    Effect.mapError(unreadable(address))
  )

/** The bytes of an address: those of one version, however often they are read. */
export const bytesOf = (
  address: string,
  asked?: string,
  onEnd: (version: string) => void = constVoid
): Stream.Stream<Uint8Array, ReadError> => {
  let version = asked
  return Stream.unwrap(
    Effect.map(
      Effect.suspend(() => open(address, version)),
      (opened) => {
        version = opened.version
        return Stream.concat(
          Stream.mapError(opened.bytes, unreadable(address)),
          Stream.execute(Effect.sync(() => onEnd(opened.version)))
        )
      }
    )
  )
}

/**
 * Sends the bytes of an object, and tells how it gets its name. That wait can be broken off: its result shows when the
 * output is looked at next.
 */
export const draft = <E, E2, R>(
  address: string,
  bytes: Stream.Stream<Uint8Array, E, R>,
  failed: (error: StorageError) => E2
): Effect.Effect<Effect.Effect<string | undefined, E2>, E | E2, R | Scope.Scope> =>
  Effect.flatMap(Storage.Storage, ({ draft }) => draft(address, bytes)).pipe(
    Effect.map(({ publish }) => Effect.interruptible(Effect.mapError(publish, failed))),
    Effect.mapError((error) => (isStorageError(error) ? failed(error) : error))
  )
