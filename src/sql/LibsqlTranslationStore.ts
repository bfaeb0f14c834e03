/**
 * A store of translations in a file of SQLite. Any number of processes of one machine may use it at once.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Layer from "effect/Layer"
import type { StoreError } from "../store/StoreError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as sqlFailures from "./internal/sqlFailures.js"
import * as LibsqlClient from "./LibsqlClient.js"
import * as SqlTranslationStore from "./SqlTranslationStore.js"

/**
 * A store in a file of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<SqlTranslationStore.Options, "name"> {
  /** The file. It is made if it is missing; its folder must be there. Beside it are two more, with `-wal` and `-shm` at the end. */
  readonly file: string
}

/**
 * A store in a file, which several processes of one machine may use at once. Keep the file on a local disk: on those of a network,
 * locks can't be trusted.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({
  file,
  ...options
}: Options): Layer.Layer<TranslationStore.TranslationStore, StoreError, FileSystem.FileSystem> =>
  Layer.provide(
    SqlTranslationStore.layer({ ...options, name: file }),
    Layer.catchAll(LibsqlClient.layer({ filename: file }), (error) =>
      Layer.fail(sqlFailures.storeError(file)(error))
    )
  )

/**
 * How a store uses the database of a client.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options as ClientOptions } from "./SqlTranslationStore.js"

/**
 * A store in the file of a `SqlClient` that is there, such as `LibsqlClient.layer`. It makes transactions of its own, so don't use it
 * inside one of the same client.
 *
 * @since 0.1.0
 * @category layers
 */
export { layer as layerClient } from "./SqlTranslationStore.js"
