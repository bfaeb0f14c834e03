/** The options of a worker: its flags, and the settings where it has none. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { isPostgres } from "../databaseAddress.js"
import type { WorkerInput } from "../declarations/jobs.js"
import * as jobKinds from "../durableJob/jobKinds.js"
import * as jobsDatabase from "../durableJob/jobsDatabase.js"
import * as keys from "../durableJob/jobsKey.js"
import * as duration from "../duration.js"
import { type Usage, usage } from "../failure.js"
import { isFolder } from "../namedFiles.js"
import type { Worker } from "../settings/declarations.js"
import { Settings } from "../settings/settings.js"
import { sourcesProblem } from "../translate/remoteFiles.js"

/** Where the control of jobs is served, and with which key. */
export interface Http {
  readonly host: string
  readonly port: number
  readonly key: Redacted.Redacted
}

export interface Options {
  readonly place: Exclude<jobsDatabase.Place, { readonly kind: "http" }>
  /** The store, as `--store` takes it; it may hold a password. `undefined` is the default: a file, or the database of the jobs. */
  readonly store: string | undefined
  readonly address: string | undefined
  readonly listen: string | undefined
  readonly secret: Redacted.Redacted | undefined
  readonly http: Http | undefined
  readonly kinds: ReadonlyArray<jobKinds.Kind>
  /** Addresses that jobs may use. */
  readonly sources: ReadonlyArray<string> | undefined
  readonly keep: Duration.Duration | undefined
  readonly keepTranslations: Duration.Duration | undefined
  readonly concurrency: number | undefined
  /** In seconds. */
  readonly drain: number
}

const httpOf = (given: string): Effect.Effect<Http, Usage, FileSystem.FileSystem> => {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(given.trim()) ?? []
  const host = inBrackets ?? plain
  return host === undefined || Number(port) > 65_535
    ? usage(`--http ${given} can't be read: give a host and a port, such as 127.0.0.1:8090.`)
    : Effect.map(keys.find, (key) => ({ host, port: Number(port), key }))
}

const given = (values: ReadonlyArray<string>) => (values.length === 0 ? undefined : values)

/** The kinds of corpora that jobs may translate. */
const kindsOf = (
  input: WorkerInput,
  worker: Worker,
  sources: Options["sources"]
): Effect.Effect<Options["kinds"], Usage, Path.Path> => {
  const tables = given(input.tables) ?? worker.tables
  const folders = given(input.folders) ?? worker.folders
  const missing = folders?.find((folder) => !isFolder(folder))
  const problem = sourcesProblem(sources ?? [])
  if (problem !== undefined) return usage(problem)
  if (sources !== undefined && tables !== undefined && folders === undefined) {
    return usage("--sources needs --folders beside --tables: workers keep the state of outputs there.")
  }
  return missing === undefined
    ? jobKinds.of({ folders, tables, sources })
    : usage(`--folders ${missing}: there is no such folder. Make it, or name another one.`)
}

const timeOf = (flag: string, given: string | undefined) =>
  given === undefined ? Effect.succeed(undefined) : duration.parse(flag, given)

/** In seconds: the default of `Worker`. */
export const defaultDrain = 12

/** The time for a worker to end, in seconds: for requests in flight, and then to leave the others. */
export const longestEnd = (drain: number): number => drain + 15

/** Which store goes with the jobs. Paid translations must outlast the worker, and be where all workers of the jobs find them. */
const storeOf = (
  store: string | undefined,
  place: Options["place"]
): Effect.Effect<string | undefined, Usage> => {
  if (store === "none") {
    return usage("--store none loses paid translations when the worker ends: name a store that stays.")
  }
  if (place.kind === "file" || store === undefined) return Effect.succeed(store)
  return isPostgres(store)
    ? Effect.succeed(store)
    : usage(
        "The jobs are in PostgreSQL and the store is a file, which workers on other machines do not see: each would pay for the same texts. Leave out --store (and the store of the settings), or give postgres://host/database."
      )
}

/** Checks the options. */
export const make = (
  input: WorkerInput
): Effect.Effect<Options, Usage, Settings | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { translate, worker } = yield* Settings
    const place = yield* jobsDatabase.find(input.jobs)
    if (place.kind === "http") {
      return yield* usage(
        "A worker needs the database of the jobs itself: give postgres://host/database or a file."
      )
    }
    const address = input.address ?? worker.address
    const listen = input.listen ?? worker.listen
    if (place.kind === "file" && (input.address ?? input.listen) !== undefined) {
      return yield* usage("--address and --listen are for several workers, which need --jobs postgres://….")
    }
    const http = input.http ?? worker.http
    const sources = given(input.sources) ?? worker.sources
    return {
      place,
      store: yield* storeOf(input.store ?? translate.store, place),
      address,
      listen,
      secret: place.kind === "file" ? undefined : yield* keys.findSecret,
      http: http === undefined ? undefined : yield* httpOf(http),
      kinds: yield* kindsOf(input, worker, sources),
      sources,
      keep: yield* timeOf("--keep", input.keep ?? worker.keep),
      keepTranslations: yield* timeOf(
        "--keep-translations",
        input.keepTranslations ?? worker.keepTranslations
      ),
      concurrency: input.concurrency ?? worker.concurrency,
      drain: input.drain ?? worker.drain ?? defaultDrain
    }
  })
