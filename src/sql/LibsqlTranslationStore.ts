/**
 * A store of translations in a file of SQLite. Any number of processes of one machine may use it at once.
 *
 * @since 0.1.0
 */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as files from "../internal/files.js"
import type { StoreError } from "../store/StoreError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import * as databases from "./internal/database.js"
import type { Salvaged } from "./internal/salvage.js"
import * as salvages from "./internal/salvage.js"
import * as schema from "./internal/schema.js"
import * as sqlFailures from "./internal/sqlFailures.js"
import * as sqliteFirstPage from "./internal/sqliteFirstPage.js"
import * as storedRows from "./internal/storedRows.js"
import * as verification from "./internal/verification.js"
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
export const layer: (
  options: Options
) => Layer.Layer<TranslationStore.TranslationStore, StoreError, FileSystem.FileSystem> = ({
  file,
  ...options
}) => Layer.provide(SqlTranslationStore.layer({ ...options, name: file }), clientOf({ filename: file }))

/** A client whose errors are those of a store. */
const clientOf = (options: LibsqlClient.Options): Layer.Layer<SqlClient.SqlClient, StoreError> =>
  Layer.catchAll(LibsqlClient.layer(options), (error) =>
    Layer.fail(sqlFailures.storeError(options.filename)(error))
  )

/** The tables of a store, as a new one has them. */
const tables = Effect.flatMap(databases.ofClient(undefined), (database) =>
  Effect.zipRight(database.persist(schema.prepare(database)), storedRows.tablesOf(database))
)

/**
 * The result of a verification, and its problems.
 *
 * @since 0.1.0
 * @category models
 */
export type { Problem, Verification } from "./SqlTranslationStore.js"

/**
 * Checks the file of a store, and changes nothing: its pages and indices, each row with its texts and its key,
 * references between rows, and the figures of the ledger. It can't detect a translation that has become another text:
 * the earlier one is nowhere recorded.
 *
 * Reads the whole file. Statements block the event loop; one of them reads all pages. Others may use the store meanwhile.
 *
 * Fails with `StoreVersionUnknown` if another version of this library has made the tables, and with `StoreUnavailable`. Damage is no
 * error: it is in the result.
 *
 * @since 0.1.0
 * @category combinators
 */
export const verify: (
  options: Pick<Options, "file">
) => Effect.Effect<SqlTranslationStore.Verification, StoreError> = ({ file }) =>
  Effect.gen(function* () {
    const known = yield* Effect.provide(tables, clientOf({ filename: ":memory:" }))
    const database = yield* databases.ofClient(file)
    return yield* verification.verify(database, known)
  }).pipe(Effect.provide(clientOf({ filename: file, readonly: true })))

/**
 * The entries that were saved.
 *
 * @since 0.1.0
 * @category models
 */
export type { Salvaged, SalvagedRows } from "./internal/salvage.js"

/**
 * From where to where.
 *
 * @since 0.1.0
 * @category models
 */
export interface SalvageOptions {
  /** The damaged file. */
  readonly file: string
  /** The new one. */
  readonly target: string
}

/**
 * Saves the readable rows of a damaged file into a new store. A page that can't be read loses its own rows only; a row
 * is left out if one of its texts is not UTF-8, or if its text does not belong to its key. The new store is written
 * under another name, and gets the target's name once it is whole and on the disk. If nothing can be read, there is no
 * target. The damaged file is not changed; nobody may use it meanwhile.
 *
 * Fails with `BadArgument` if the target is there already, and with the errors of a store and of the file system.
 *
 * @since 0.1.0
 * @category combinators
 */
export const salvage: (
  options: SalvageOptions
) => Effect.Effect<Salvaged, StoreError | PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = ({
  file,
  target
}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (yield* fs.exists(target)) {
      return yield* new PlatformError.BadArgument({
        module: "FileSystem",
        method: "salvage",
        description: "The target is there already. Give the new store another name."
      })
    }
    const part = yield* temporaryDatabase(target)
    const copy = yield* temporaryDatabase(target)
    return yield* Effect.provide(salvageInto(target, file, copy), clientOf({ filename: part }))
  }).pipe(Effect.scoped)

/** Into the new store of the client, which then gets its name. */
const salvageInto = (target: string, file: string, copy: string) =>
  Effect.gen(function* () {
    const known = yield* tables
    const to = yield* databases.ofClient(target)
    const read = <A>(filename: string, use: (from: databases.Database) => Effect.Effect<A, StoreError>) =>
      Effect.flatMap(databases.ofClient(file), (from) =>
        Effect.zipRight(salvages.tolerate(from), use(from))
      ).pipe(Effect.provide(clientOf({ filename, readonly: true })))
    const source = (yield* read(file, salvages.hasTables)) ? file : yield* withFirstPage(file, copy)
    const salvaged = yield* read(source, (from) => salvages.salvage(from, to, known))
    if (Object.values(salvaged).some(({ saved }) => saved > 0)) yield* publish(target)
    return salvaged
  })

/** The name of a file that is removed at the end of the scope, with those that are beside a database. */
const temporaryDatabase = (target: string) =>
  Effect.acquireRelease(files.temporaryFor(target), (name) =>
    Effect.forEach(["", "-wal", "-shm"], (ending) => files.discard(name + ending))
  )

const ofStore = (store: string) =>
  Effect.mapError((error: SqlError | PlatformError.PlatformError) =>
    error._tag === "SqlError" ? sqlFailures.storeError(store)(error) : error
  )

const withFirstPage = (file: string, copy: string) =>
  Effect.as(ofStore(copy)(sqliteFirstPage.replace(file, copy)), copy)

const publish = (target: string) => ofStore(target)(LibsqlClient.backup(target))

/**
 * Options for a store in the database of a client.
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
