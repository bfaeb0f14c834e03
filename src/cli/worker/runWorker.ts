/** A worker: it does jobs until it is told to end, and then finishes requests in flight. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import { hash } from "../../internal/hash.js"
import * as PgTranslationStore from "../../sql/PgTranslationStore.js"
import * as Cluster from "../../workflow/Cluster.js"
import type { ClusterError } from "../../workflow/ClusterError.js"
import * as ClusterLimit from "../../workflow/ClusterLimit.js"
import * as JobControl from "../../workflow/JobControl.js"
import type { JobsVersionUnknown } from "../../workflow/JobControlError.js"
import * as LibsqlCluster from "../../workflow/LibsqlCluster.js"
import * as PgCluster from "../../workflow/PgCluster.js"
import * as Supervisor from "../../workflow/Supervisor.js"
import * as Worker from "../../workflow/Worker.js"
import * as jobsDatabase from "../durableJob/jobsDatabase.js"
import type { Described } from "../failure.js"
import { Interrupts, stopping } from "../interrupts.js"
import * as keyCheck from "../keyCheck.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import { storage } from "../translate/remoteFiles.js"
import * as jobsServer from "./jobsServer.js"
import * as workerEvents from "./workerEvents.js"
import { longestEnd, type Options } from "./workerOptions.js"

/** The time for which a start waits for a database that is away, before its supervisor tries again. */
const databasePatience = "30 seconds"

/** The engine, in the database of the jobs. */
const clusterOf = ({
  address,
  listen,
  place,
  secret
}: Options): Layer.Layer<Cluster.Provided, ClusterError> =>
  place.kind === "file"
    ? LibsqlCluster.layer({ file: place.file })
    : Layer.unwrapEffect(
        Effect.map(Supervisor.isSupervised, (isSupervised) =>
          PgCluster.layer({
            url: place.url,
            address,
            listen,
            secret,
            patience: isSupervised ? databasePatience : undefined
          })
        )
      )

/** The name of the limit that workers with the same key of the same service share: it tells nothing of the key. */
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

/** Where translations are: in the database of the jobs by its connections, unless another store is named. */
const storeOf = ({ place, store }: Options) =>
  place.kind === "postgres" && store === undefined
    ? Effect.succeed({ name: "PostgreSQL", layer: PgTranslationStore.layerClient() })
    : stores.open(store)

/** The time for which a worker waits at its start for a service that may be down. */
const keyPatience = "5 seconds"

/**
 * A worker whose key is refused would fail the jobs of all workers, and one whose proxy refuses it would do none: it does not begin. A
 * service that is down is no reason for that.
 */
const checkKey = keyCheck.check.pipe(
  Effect.timeout(keyPatience),
  Effect.catchAll((error) =>
    error._tag === "Unauthorized" || (error._tag === "ProxyRefused" && error.isFatal)
      ? Effect.fail(error)
      : Effect.void
  )
)

/** All that works. */
const layerOf = (
  options: Options,
  store: Effect.Effect.Success<ReturnType<typeof storeOf>>,
  limitName: string,
  { onEvent, onOutdated }: Required<Pick<Worker.Options, "onEvent" | "onOutdated">>
) => {
  const { concurrency, drain, keep, keepTranslations, kinds } = options
  const worker = Worker.layer({
    kinds,
    concurrency,
    keep,
    keepTranslations,
    drain: Duration.seconds(drain),
    onEvent,
    onOutdated,
    // The command ends with it, and tells of it as of any other error.
    onLost: () => Effect.void
  })
  const working = Layer.unwrapEffect(Effect.as(checkKey, worker))
  const all = options.http === undefined ? working : Layer.merge(working, jobsServer.layer(options.http))
  return all.pipe(
    Layer.provide([
      store.layer,
      service.clientWith(limitOf(options, limitName), { circuit: Worker.circuit })
    ]),
    Layer.provideMerge(JobControl.layerFor(options.kinds)),
    Layer.provideMerge(clusterOf(options)),
    Layer.provide([fewLogs, options.sources === undefined ? Layer.empty : storage(options.sources)])
  )
}

/** The logs of the engine: errors alone, unless more is asked for. */
const fewLogs = Layer.unwrapEffect(
  Effect.map(Output, ({ verbose }) => Logger.minimumLogLevel(verbose ? LogLevel.Info : LogLevel.Error))
)

/** Ends running steps in good order: within a bound, after which other workers do the rest. */
const drain = (scope: Scope.CloseableScope, seconds: number) =>
  Effect.gen(function* () {
    yield* Output.event({ type: "draining", seconds })
    yield* Output.note(
      `Ending: requests in flight are finished, for ${seconds} s at most. Ctrl-C again ends at once.`
    )
    const closing = yield* Effect.forkDaemon(Scope.close(scope, Exit.void))
    const done = yield* Effect.timeoutOption(Fiber.join(closing), Duration.seconds(longestEnd(seconds)))
    const isDrained = Option.isSome(done)
    yield* Output.event({ type: "stopped", isDrained })
    yield* Output.note(
      isDrained
        ? "Ended: all requests in flight are recorded."
        : "Ended: requests in flight did not finish in time, and the next worker repeats them."
    )
  })

const isOfThisMachine = (address: string): boolean => /^(127\.|localhost:|\[::1\]|local$)/.test(address)

/** Prints the line of a worker that is ready. */
const announce = (
  { listen, place, secret }: Options,
  address: string,
  store: string,
  http: string | undefined
) =>
  Effect.gen(function* () {
    if (secret === undefined && !isOfThisMachine(listen ?? address)) {
      yield* Output.note(
        `Whoever reaches ${listen ?? address} can have this worker do anything: set EFFECT_TRANSLATE_WORKER_SECRET, the same for all workers.`
      )
    }
    yield* Output.event({ type: "started", address, jobs: place.name, store, http })
    yield* Output.note(
      `Worker ${address} does the jobs of ${place.name}; translations are in ${store}.${http === undefined ? "" : ` ${http} shows them.`}`
    )
  })

/** Runs a worker until it is told to end; fails if it can't begin, or has lost its database. */
export const run = (
  options: Options
): Effect.Effect<void, Described, Settings | FileSystem.FileSystem | Path.Path | Output | Interrupts> =>
  Effect.gen(function* () {
    const { graceful, last } = yield* Interrupts
    yield* graceful((signalled) =>
      Effect.gen(function* () {
        const requested = Effect.raceFirst(signalled, Supervisor.gone)
        const name = yield* limitName
        yield* jobsDatabase.makeFolder(options.place)
        const store = yield* storeOf(options)
        const outdated = yield* Deferred.make<JobsVersionUnknown>()
        const told = {
          onEvent: yield* workerEvents.telling,
          onOutdated: (error: JobsVersionUnknown) => Effect.asVoid(Deferred.succeed(outdated, error))
        }
        // Not closed where the database is lost: the process ends, and whatever it would wait for with it.
        const scope = yield* Scope.make()
        const built = yield* Effect.raceFirst(
          Effect.asSome(
            Layer.buildWithScope(Cluster.withStartDeadline(layerOf(options, store, name, told)), scope)
          ),
          Effect.as(Effect.zipRight(requested, Output.note(stopping)), Option.none())
        )
        if (Option.isNone(built)) return
        const { address, lost } = Context.get(built.value, Cluster.Cluster)
        yield* announce(options, address, store.name, jobsServer.addressOf(built.value))
        const outdatedBy = yield* Effect.raceFirst(
          Effect.as(requested, Option.none()),
          Effect.raceFirst(Effect.asSome(Deferred.await(outdated)), lost)
        )
        // A supervisor that does not wait for that was told to end at once.
        yield* Effect.raceFirst(drain(scope, options.drain), Supervisor.gone)
        if (Option.isSome(outdatedBy)) return yield* outdatedBy.value
      })
    )
    if ((yield* last) === "SIGINT") {
      const stopped: Described = { _tag: "WorkerStopped", message: "Interrupted." }
      return yield* Effect.fail(stopped)
    }
  })
