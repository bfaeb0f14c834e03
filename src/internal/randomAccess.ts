import type * as Effect from "effect/Effect"

/** One version of a file, which is read at any place: of the disk, of a bucket, of an address. */
export interface RandomAccess<E = never, R = never> {
  /** In bytes. */
  readonly size: number
  /** The bytes from `start` up to `end`, which is not among them. */
  readonly read: (start: number, end: number) => Effect.Effect<Uint8Array, E, R>
}
