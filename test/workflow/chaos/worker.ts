/** A worker as a user composes it, told by each request which process has sent it. */

import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Auth, Region, TranslateClient } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { PgTranslationStore } from "effect-translate/postgres"
import { Cluster, ClusterError, ClusterLimit, FileCorpus, Worker } from "effect-translate/workflow"
import { PgCluster } from "effect-translate/workflow/postgres"
import type { WorkerOptions } from "./processes.js"

const {
  address: reached,
  concurrency,
  database,
  refreshMillis,
  url
}: WorkerOptions = JSON.parse(process.argv[2] ?? "")

const address = Redacted.make(database)

const named = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.mapRequest(HttpClientRequest.setHeader("x-worker", String(process.pid)))
  )
).pipe(Layer.provide(NodeHttpClient.layerUndici))

const services = TranslateClient.layerServices({ circuit: Worker.circuit }).pipe(
  Layer.provide([
    Region.layer({ url, name: "emulator" }),
    Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
    ClusterLimit.layer(),
    named
  ])
)

/** The supervisor starts it again then. */
const endOfLoss = Layer.scopedDiscard(
  Effect.flatMap(Cluster.Cluster, ({ lost }) => lost).pipe(
    Effect.catchAll((error) =>
      Effect.sync((): void => {
        console.error(error.message)
        process.exit(ClusterError.exitCode(error))
      })
    ),
    Effect.forkScoped
  )
)

Layer.merge(endOfLoss, Worker.layer({ kinds: [FileCorpus.kind], concurrency })).pipe(
  Layer.provide([services, PgTranslationStore.layer({ url: address })]),
  Layer.provide(
    PgCluster.layer({
      url: address,
      address: reached,
      ...(refreshMillis === undefined
        ? {}
        : { sharding: { shardLockRefreshInterval: Duration.millis(refreshMillis) } })
    })
  ),
  Layer.provide(NodeContext.layer),
  Layer.launch,
  Effect.tapError((error) =>
    Effect.sync((): void => {
      console.error(error.message)
      process.exit(
        ClusterError.isClusterError(error) ? ClusterError.exitCode(error) : ClusterError.exitCodeOfLoss
      )
    })
  ),
  NodeRuntime.runMain
)
