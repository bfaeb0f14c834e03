/** A worker: it does jobs until it is told to end, and then finishes what is in flight. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import { hash } from "../../internal/hash.js"
import * as Cluster from "../../workflow/Cluster.js"
import type { ClusterError } from "../../workflow/ClusterError.js"
import * as ClusterLimit from "../../workflow/ClusterLimit.js"
import type * as Corpus from "../../workflow/Corpus.js"
import * as FileCorpus from "../../workflow/FileCorpus.js"
import * as JobControl from "../../workflow/JobControl.js"
import * as LibsqlCluster from "../../workflow/LibsqlCluster.js"
import * as PgCluster from "../../workflow/PgCluster.js"
import * as TableCorpus from "../../workflow/TableCorpus.js"
import type { TableCorpusError } from "../../workflow/TableCorpusError.js"
import * as Worker from "../../workflow/Worker.js"
import type { WorkerEvent } from "../../workflow/WorkerEvent.js"
import * as jobsDatabase from "../durableJob/jobsDatabase.js"
import type { Described } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import * as engineLogs from "./engineLogs.js"
import * as jobsServer from "./jobsServer.js"
import * as workerEvents from "./workerEvents.js"
import type { Options } from "./workerOptions.js"

/** The engine, in the database of the jobs. */
const clusterOf = ({ address, listen, place }: Options): Layer.Layer<Cluster.Provided, ClusterError> =>
  place.kind === "file"
    ? LibsqlCluster.layer({ file: place.file })
    : PgCluster.layer({ url: place.url, address, listen })

/** Workers with the same key of the same service share a limit: what it is called tells nothing of the key. */
const limitName = Effect.flatMap(Settings, ({ provider }) =>
  Effect.map(
    Effect.all([
      provider.load(Config.string("LANGUAGE_SERVICE_URL")),
      provider.load(Config.redacted("LANGUAGE_SERVICE_KEY"))
    ]),
    ([url, key]) => hash(JSON.stringify([url, Redacted.value(key)]))
  )
)

const limitOf = (
  { place }: Options,
  name: string
): Layer.Layer<
  ConcurrencyLimit.ConcurrencyLimit,
  never,
  Layer.Layer.Context<ReturnType<typeof ClusterLimit.layer>>
> => (place.kind === "file" ? ConcurrencyLimit.layerAdaptive() : ClusterLimit.layer({ name }))

type Kind = Corpus.Kind<FileCorpus.Error | TableCorpusError, FileCorpus.Context | TableCorpus.Context>

const kinds: ReadonlyArray<Kind> = [FileCorpus.kind, TableCorpus.kind]

/** How long a worker waits at its start for a service that may be down. */
const keyPatience = "5 seconds"

/** A worker whose key is refused would fail the jobs of all workers: it does not begin. A service that is down is no reason for that. */
const checkKey = Effect.flatMap(TranslateClient.TranslateClient, ({ usage }) => usage).pipe(
  Effect.timeout(keyPatience),
  Effect.catchAll((error) => (error._tag === "Unauthorized" ? Effect.fail(error) : Effect.void))
)

/** All that works. */
const layerOf = (
  options: Options,
  store: stores.Found,
  limitName: string,
  onEvent: (event: WorkerEvent) => Effect.Effect<void>
) => {
  const { concurrency, drain } = options
  const worker = Worker.layer({
    kinds,
    concurrency,
    drain: Duration.seconds(drain),
    onEvent,
    // The command ends with it, and tells of it as of any other error.
    onLost: () => Effect.void
  })
  const working = Layer.unwrapEffect(Effect.as(checkKey, worker))
  const all = options.http === undefined ? working : Layer.merge(working, jobsServer.layer(options.http))
  return all.pipe(
    Layer.provide([store.layer, service.translatorWith(limitOf(options, limitName))]),
    Layer.provideMerge(JobControl.layer),
    Layer.provideMerge(clusterOf(options)),
    Layer.provide(engineLogs.layer)
  )
}

/** How long a worker may take to leave the others once what is in flight is recorded, in seconds. */
const leaving = 15

/** Ends in good order what has begun: within a bound, after which others do what is left. */
const drain = (scope: Scope.CloseableScope, seconds: number) =>
  Effect.gen(function* () {
    const { event, note } = yield* Output
    yield* event({ type: "draining", seconds })
    yield* note(`Ending: what is in flight is finished, for ${seconds} s at most. Ctrl-C again ends at once.`)
    const closing = yield* Effect.forkDaemon(Scope.close(scope, Exit.void))
    const done = yield* Effect.timeoutOption(Fiber.join(closing), Duration.seconds(seconds + leaving))
    const isDrained = Option.isSome(done)
    yield* event({ type: "stopped", isDrained })
    yield* note(
      isDrained
        ? "Ended: all that was in flight is recorded."
        : "Ended: what was in flight was not done in time, and is done again by the next worker."
    )
  })

/** What is told once a worker is ready. */
const announce = ({ place }: Options, address: string, store: string, http: string | undefined) =>
  Effect.gen(function* () {
    const { event, note } = yield* Output
    yield* event({ type: "started", address, jobs: place.name, store, http })
    yield* note(
      `Worker ${address} does the jobs of ${place.name}; translations are in ${store}.${http === undefined ? "" : ` ${http} shows them.`}`
    )
  })

/** Runs a worker until it is told to end; fails if it can't begin, or has lost its database. */
export const run = (
  options: Options
): Effect.Effect<void, Described, Settings | FileSystem.FileSystem | Path.Path | Output | Interrupts> =>
  Effect.gen(function* () {
    const { graceful, last } = yield* Interrupts
    const name = yield* limitName
    yield* jobsDatabase.makeFolder(options.place)
    const store = yield* stores.open(options.store)
    const onEvent = yield* workerEvents.telling
    yield* graceful((requested) =>
      Effect.gen(function* () {
        // Not closed where the database is lost: the process ends, and whatever it would wait for with it.
        const scope = yield* Scope.make()
        const built = yield* Effect.raceFirst(
          Effect.asSome(Layer.buildWithScope(layerOf(options, store, name, onEvent), scope)),
          Effect.as(requested, Option.none())
        )
        if (Option.isNone(built)) return
        const { address, lost } = Context.get(built.value, Cluster.Cluster)
        yield* announce(options, address, store.name, jobsServer.addressOf(built.value))
        yield* Effect.raceFirst(requested, lost)
        yield* drain(scope, options.drain)
      })
    )
    if ((yield* last) === "SIGINT") {
      const stopped: Described = { _tag: "WorkerStopped", message: "Interrupted." }
      return yield* Effect.fail(stopped)
    }
  })
