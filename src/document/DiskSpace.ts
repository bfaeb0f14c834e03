/**
 * The free space of the disk that translations are written to. Optional: with it, nothing is uploaded or downloaded for
 * a disk that is full already.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"

/**
 * Tells the free space of a disk.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The bytes that can be written into a folder; none if that is unknown. */
  readonly available: (folder: string) => Effect.Effect<Option.Option<number>>
}

/**
 * The free space of disks. Without a layer it is unknown.
 *
 * @since 0.1.0
 * @category tags
 */
export class DiskSpace extends Context.Reference<DiskSpace>()("effect-translate/DiskSpace", {
  defaultValue: (): Service => ({ available: () => Effect.succeedNone })
}) {}

/**
 * The free space as `statfs` of `node:fs/promises` tells it:
 *
 *     import { statfs } from "node:fs/promises"
 *     DiskSpace.layer(statfs)
 *
 * It is unknown where `statfs` fails.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  statfs: (folder: string) => PromiseLike<{
    /** Free blocks for this user. */
    readonly bavail: number
    /** The bytes of a block. */
    readonly bsize: number
  }>
): Layer.Layer<DiskSpace> =>
  Layer.succeed(DiskSpace, {
    available: (folder) =>
      Effect.option(
        Effect.map(
          Effect.tryPromise(() => statfs(folder)),
          ({ bavail, bsize }) => bavail * bsize
        )
      )
  })
