/**
 * Durable jobs of one machine, whole: jobs and what is paid for are in a file, and the configuration says where the service is.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as LibsqlClient from "../sql/LibsqlClient.js"
import * as LibsqlTranslationStore from "../sql/LibsqlTranslationStore.js"
import type { StoreError } from "../store/StoreError.js"
import * as Translator from "../stream/Translator.js"
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
 * The only worker of a file, and the control of its jobs. The service is that of the configuration: see `Translator.layerConfig`.
 *
 *     LibsqlWorker.layer({ file: "jobs.db", kinds: [FileCorpus.kind] })
 *
 * It is made of `LibsqlCluster`, `Translator.layerConfig`, `LibsqlTranslationStore`, `JobControl.layerFor` and `Worker.layer`: compose
 * these where one of them has to be another.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <K extends Corpus.Kind<unknown, unknown>>({
  file,
  sharding,
  store = file,
  ...options
}: Options<K>): Layer.Layer<
  Worker.Services,
  ConfigError.ConfigError | ClusterError | JobControlError | StoreError,
  Exclude<Corpus.ContextOf<K>, Worker.Services> | HttpClient.HttpClient | FileSystem.FileSystem
> => {
  const services = Layer.mergeAll(
    JobControl.layerFor(options.kinds),
    Translator.layerConfig(),
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
export const layerControl = ({
  file
}: Pick<Options, "file">): Layer.Layer<JobControl.JobControl, JobControlError> =>
  controlLayer.over(LibsqlClient.layer({ filename: file }))
