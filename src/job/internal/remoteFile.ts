/** Files of jobs that are addresses, as far as the file system knows its own: what is there, and how it is written. */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Address from "../../storage/Address.js"
import * as Storage from "../../storage/Storage.js"
import { isStorageError, type StorageError } from "../../storage/StorageError.js"
import { type ReadError, SourceChanged, SourceUnreadable, StorageUnavailable } from "../FileSourceError.js"

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
  ({ detail, reason }: StorageError): ReadError => {
    const path = Address.shown(address)
    switch (reason) {
      case "changed":
        return new SourceChanged({ path })
      case "unavailable":
        return new StorageUnavailable({ path, reason: detail })
      default:
        return new SourceUnreadable({ path, reason: detail })
    }
  }

/** Opens a version: what is there now, or the one that was there before. */
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
 * Sends the bytes of an object, and tells how it gets its name. That wait can be broken off: what came of it shows when the output is
 * looked at next.
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
