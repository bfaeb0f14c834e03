/**
 * Durable jobs of many machines, whole: jobs and paid translations are in PostgreSQL, and the configuration has the
 * address of the service.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as Auth from "../client/Auth.js"
import * as Region from "../client/Region.js"
import * as TranslateClient from "../client/TranslateClient.js"
import { mergeConfig } from "../internal/mergeConfig.js"
import * as PgClient from "../sql/PgClient.js"
import * as PgTranslationStore from "../sql/PgTranslationStore.js"
import type { StoreError } from "../store/StoreError.js"
import type { ClusterError } from "./ClusterError.js"
import * as ClusterLimit from "./ClusterLimit.js"
import type * as Corpus from "./Corpus.js"
import * as startDeadline from "./internal/engine/startDeadline.js"
import * as controlLayer from "./internal/tables/controlLayer.js"
import * as JobControl from "./JobControl.js"
import type { JobControlError } from "./JobControlError.js"
import * as PgCluster from "./PgCluster.js"
import * as Worker from "./Worker.js"

/**
 * A worker and its database.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<K extends Corpus.Kind<unknown, unknown> = Corpus.Kind>
  extends Worker.Options<K>,
    PgCluster.Options {
  /** The limit that all workers share. @default `ClusterLimit.layer()` */
  readonly limit?: ClusterLimit.Options | undefined
}

/**
 * One of the workers of a database, and the control of their jobs. The service is the one of the configuration: see
 * `TranslateClient.layerConfig`. All workers share a limit.
 *
 *     PgWorker.layer({ url, kinds: [FileCorpus.kind] })
 *
 * It is made of `PgCluster`, a client with `ClusterLimit`, `PgTranslationStore`, `JobControl.layerFor` and `Worker.layer`: compose these
 * where one of them has to be another.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: <K extends Corpus.Kind<unknown, unknown>>(
  options: Options<K>
) => Layer.Layer<
  Worker.Services,
  ConfigError.ConfigError | ClusterError | JobControlError | StoreError,
  Exclude<Corpus.ContextOf<K>, Worker.Services> | HttpClient.HttpClient | FileSystem.FileSystem
> = ({ address, limit, listen, maxConnections, patience, secret, sharding, url, ...options }) => {
  const client = TranslateClient.layerServices({ circuit: Worker.circuit }).pipe(
    Layer.provide([mergeConfig(Region.layerConfig(), Auth.layerConfig()), ClusterLimit.layer(limit)])
  )
  const services = JobControl.layerFor(options.kinds).pipe(
    Layer.provideMerge(Layer.merge(client, PgTranslationStore.layerClient())),
    Layer.provideMerge(PgCluster.layer({ address, listen, maxConnections, patience, secret, sharding, url }))
  )
  return startDeadline.of(Layer.provideMerge(Worker.layer(options), services))
}

/**
 * The control of the jobs of a database without a worker, for another program: it submits, watches and controls them.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerControl: (
  options: Pick<Options, "url">
) => Layer.Layer<JobControl.JobControl, JobControlError> = ({ url }) =>
  controlLayer.over(PgClient.layer({ url }))
