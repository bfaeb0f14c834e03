/** Where durable jobs are: a file of this machine, a database of PostgreSQL, or a worker that serves their control over HTTP. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { JobControl } from "../../workflow/JobControl.js"
import type { JobControlError } from "../../workflow/JobControlError.js"
import { isPostgres, problemOf } from "../databaseAddress.js"
import { type Incomplete, type Usage, usage } from "../failure.js"
import * as files from "../namedFiles.js"
import { Settings } from "../settings/settings.js"
import * as stateFolder from "../stateFolder.js"
import type { Kind } from "./jobKinds.js"
import type { Database } from "./jobsDrivers.js"
import * as jobsKey from "./jobsKey.js"

/** Where jobs are unless told otherwise: for the workers of one machine. */
const standard = stateFolder.fileOf("jobs.db")

/** Where jobs are. */
export type Place = Database | { readonly kind: "http"; readonly name: string; readonly url: string }

/** Where people are told that jobs are: nothing of an address that may hold a password. */
const httpName = (url: string): string => (URL.canParse(url) ? new URL(url).host : "an HTTP address")

/** The place of `--jobs` or the settings. */
export const placeOf = (jobs: string): Effect.Effect<Place, Usage> => {
  if (/^https?:\/\//i.test(jobs)) {
    if (!URL.canParse(jobs)) return usage("--jobs can't be read: give an address such as http://host:8090.")
    const { password, username } = new URL(jobs)
    return username !== "" || password !== ""
      ? usage("--jobs holds a name or a password: the key of the workers is in EFFECT_TRANSLATE_JOBS_KEY.")
      : Effect.succeed({ kind: "http", name: httpName(jobs), url: jobs.replace(/\/+$/, "") })
  }
  const problem = problemOf(
    "--jobs",
    jobs,
    "a file, postgres://host/database, or the http:// address of a worker"
  )
  if (problem !== undefined) return usage(problem)
  if (isPostgres(jobs)) {
    return Effect.succeed({ kind: "postgres", name: "PostgreSQL", url: Redacted.make(jobs) })
  }
  return Effect.succeed({ kind: "file", name: jobs, file: jobs })
}

/** Where jobs are, by `--jobs`, the settings, or the default. */
export const find = (
  given: string | undefined
): Effect.Effect<Place, Usage, Settings | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { jobs } = yield* Settings
    const place = yield* placeOf(given ?? jobs ?? (yield* standard))
    if (place.kind !== "file") return place
    const fs = yield* FileSystem.FileSystem
    const known = yield* Effect.option(fs.stat(place.file))
    return Option.isSome(known) && known.value.type === "Directory"
      ? yield* usage(`${place.file} is a folder: name a file by --jobs.`)
      : place
  })

/** Makes the folder of a file. */
export const makeFolder = (
  place: Place
): Effect.Effect<void, Usage | Incomplete, Settings | FileSystem.FileSystem | Path.Path> =>
  place.kind !== "file"
    ? Effect.void
    : Effect.flatMap(Effect.all([Path.Path, standard]), ([{ dirname }, standard]) =>
        place.file === standard ? stateFolder.make : files.makeFolder(dirname(place.file))
      )

/** Fails unless a file is there. */
const checkFile = (place: Place): Effect.Effect<void, Usage, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (place.kind !== "file" || (yield* Effect.orElseSucceed(fs.exists(place.file), () => true))) return
    yield* usage(
      `There are no jobs in ${place.name}: say where they are by --jobs. job submit makes the file with its first job.`
    )
  })

/** The control of jobs by their database, and its driver. With `kinds`, it takes jobs of these only. */
const localLayer = (place: Database, kinds: ReadonlyArray<Kind> | undefined) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => Promise.all([import("../../workflow/JobControl.js"), import("./jobsDrivers.js")])),
      ([control, drivers]) =>
        Layer.provide(kinds === undefined ? control.layer : control.layerFor(kinds), drivers.layer(place))
    )
  )

/** The control of jobs by a worker that serves it. The proxy of the settings is for the service. */
const remoteLayer = (url: string) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const [{ layer }, { layerConfig }] = yield* Effect.promise(() =>
        Promise.all([import("../../workflow/JobClient.js"), import("../../runtime/ProxyHttpClient.js")])
      )
      return Layer.provide(
        layer({ url, key: yield* jobsKey.find }),
        layerConfig({ proxy: Config.succeed(undefined) })
      )
    })
  )

type Control = Layer.Layer<JobControl, JobControlError | ConfigError | Usage, FileSystem.FileSystem>

const layerOf = (place: Place, kinds?: ReadonlyArray<Kind>): Control =>
  place.kind === "http" ? remoteLayer(place.url) : localLayer(place, kinds)

/** Uses the control of jobs that are there. */
export const withJobs = <A, E, R>(given: string | undefined, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const place = yield* find(given)
    yield* checkFile(place)
    return yield* Effect.provide(use, layerOf(place))
  })

/** Uses the control of jobs, whose file is made if it is missing. Of kinds that are not given, the database takes none. */
export const withNewJobs = <A, E, R>(
  given: string | undefined,
  kinds: ReadonlyArray<Kind>,
  use: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const place = yield* find(given)
    yield* makeFolder(place)
    return yield* Effect.provide(use, layerOf(place, kinds))
  })
