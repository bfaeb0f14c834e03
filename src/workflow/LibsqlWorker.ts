/**
 * Durable jobs of one machine, whole: jobs and paid translations are in a file, and the configuration has the address of
 * the service.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as TranslateClient from "../client/TranslateClient.js"
import * as LibsqlClient from "../sql/LibsqlClient.js"
import * as LibsqlTranslationStore from "../sql/LibsqlTranslationStore.js"
import type { StoreError } from "../store/StoreError.js"
import type { ClusterError } from "./ClusterError.js"
import type * as Corpus from "./Corpus.js"
import * as controlLayer from "./internal/tables/controlLayer.js"
import * as JobControl from "./JobControl.js"
import type { JobControlError } from "./JobControlError.js"
import * as LibsqlCluster from "./LibsqlCluster.js"
import * as Worker from "./Worker.js"

/**
 * A worker and its file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<K extends Corpus.Kind<unknown, unknown> = Corpus.Kind>
  extends Worker.Options<K>,
    LibsqlCluster.Options {
  /** The file of the store of translations: see `LibsqlTranslationStore`. @default the file of the jobs */
  readonly store?: string | undefined
}

/**
 * The only worker of a file, and the control of its jobs. The service is the one of the configuration: see
 * `TranslateClient.layerConfig`.
 *
 *     LibsqlWorker.layer({ file: "jobs.db", kinds: [FileCorpus.kind] })
 *
 * It is made of `LibsqlCluster`, `TranslateClient.layerConfig` with {@link Worker.circuit}, `LibsqlTranslationStore`, `JobControl.layerFor` and `Worker.layer`: compose
 * these where one of them has to be another.
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
> = ({ file, sharding, store = file, ...options }) => {
  const services = Layer.mergeAll(
    JobControl.layerFor(options.kinds),
    TranslateClient.layerConfig({ circuit: Worker.circuit }),
    LibsqlTranslationStore.layer({ file: store })
  ).pipe(Layer.provideMerge(LibsqlCluster.layer({ file, sharding })))
  return Layer.provideMerge(Worker.layer(options), services)
}

/**
 * The control of the jobs of a file without a worker, for another program: it submits, watches and controls them.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerControl: (
  options: Pick<Options, "file">
) => Layer.Layer<JobControl.JobControl, JobControlError> = ({ file }) =>
  controlLayer.over(LibsqlClient.layer({ filename: file }))
