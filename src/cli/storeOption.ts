/** The store of translations that `--store` or the settings name: a file, a database of PostgreSQL, or none. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as LibsqlTranslationStore from "../sql/LibsqlTranslationStore.js"
import * as TranslationStore from "../store/TranslationStore.js"
import { isPostgres, problemOf } from "./databaseAddress.js"
import { type Incomplete, type Usage, usage } from "./failure.js"
import * as files from "./namedFiles.js"
import { Settings } from "./settings/settings.js"
import * as stateFolder from "./stateFolder.js"

/** Where the store is unless told otherwise. */
const standard = stateFolder.fileOf("store.db")

/** Keeps nothing. */
const none = "none"

const isFile = (store: string) => !isPostgres(store) && store !== none

/** The store that is meant. It may hold a password: see {@link nameOf}. */
const find = (given: string | undefined): Effect.Effect<string, Usage, Settings | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    const fs = yield* FileSystem.FileSystem
    const store = given ?? translate.store ?? (yield* standard)
    const problem = problemOf("--store", store, "a file, postgres://host/database, or none")
    if (problem !== undefined) return yield* usage(problem)
    const known = isFile(store) ? yield* Effect.option(fs.stat(store)) : Option.none()
    return Option.isSome(known) && known.value.type === "Directory"
      ? yield* usage(`The store ${store} is a folder: name a file by --store.`)
      : store
  })

/** The shown name of a store: no part of an address, as it can hold a password. */
const nameOf = (store: string): string =>
  isPostgres(store) ? "PostgreSQL" : store === none ? "none: nothing is stored" : store

// The drivers are loaded for those stores only that need them.
const libsql = Effect.promise(() => import("../sql/LibsqlTranslationStore.js"))
const postgres = Effect.promise(() => import("../sql/PgTranslationStore.js"))

type Options = Pick<LibsqlTranslationStore.Options, "schedule">

/** Saves the readable rows of a damaged file. */
export const salvage = (file: string, target: string) =>
  Effect.flatMap(libsql, ({ salvage }) => salvage({ file, target }))

const layerOf = (store: string, options: Options) =>
  store === none
    ? TranslationStore.layerNone
    : Layer.unwrapEffect(
        isPostgres(store)
          ? Effect.map(postgres, ({ layer }) => layer({ ...options, url: Redacted.make(store) }))
          : Effect.map(libsql, ({ layer }) => layer({ ...options, file: store }))
      )

const verificationOf = (store: string) =>
  isPostgres(store)
    ? Effect.flatMap(postgres, ({ verify }) => verify({ url: Redacted.make(store) }))
    : Effect.flatMap(libsql, ({ verify }) => verify({ file: store }))

/** A store, and its name. */
export interface Found {
  readonly name: string
  readonly isFile: boolean
  /** True if it keeps translations. */
  readonly keeps: boolean
  /** The folder for the files beside it. */
  readonly folder: string
  readonly layer: ReturnType<typeof layerOf>
  /** Returns its problems. */
  readonly verify: ReturnType<typeof verificationOf>
}

const findStore = (store: string, options: Options) =>
  Effect.map(
    Effect.all([Path.Path, standard]),
    ([{ dirname }, standard]): Found => ({
      name: nameOf(store),
      isFile: isFile(store),
      keeps: store !== none,
      folder: dirname(isFile(store) ? store : standard),
      layer: layerOf(store, options),
      verify: verificationOf(store)
    })
  )

/** The store to translate with. A file is made if it is missing, and its folder too. */
export const open = (
  given: string | undefined
): Effect.Effect<Found, Usage | Incomplete, Settings | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const store = yield* find(given)
    if (store === (yield* standard)) yield* stateFolder.make
    else if (isFile(store)) yield* files.makeFolder((yield* Path.Path).dirname(store))
    return yield* findStore(store, {})
  })

/** The store to forecast with: a file that is not there is not made, and counts as an empty store. */
export const openAsItIs = (
  given: string | undefined,
  options: Options = {}
): Effect.Effect<Found, Usage, Settings | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const store = yield* find(given)
    const fs = yield* FileSystem.FileSystem
    const isThere = !isFile(store) || (yield* Effect.orElseSucceed(fs.exists(store), () => false))
    return {
      ...(yield* findStore(store, options)),
      // Nothing is put into it.
      ...(isThere ? {} : { layer: TranslationStore.layerMemory({ texts: 1 }) })
    }
  })

/** The store to look into: a file must be there. */
export const openExisting = (
  given: string | undefined,
  options: Options
): Effect.Effect<Found, Usage, Settings | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const store = yield* find(given)
    const name = nameOf(store)
    if (store === none) {
      return yield* usage("--store none keeps nothing: give a file or postgres://host/database.")
    }
    if (!isPostgres(store)) {
      const fs = yield* FileSystem.FileSystem
      const info = yield* Effect.option(fs.stat(store))
      if (info._tag === "None" || info.value.type !== "File") {
        return yield* usage(
          `There is no store ${name}: say which one by --store. translate makes it with its first run.`
        )
      }
    }
    return yield* findStore(store, options)
  })
