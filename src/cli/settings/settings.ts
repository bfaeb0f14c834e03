/** Where settings come from: a profile that the command line names, then the environment, then the file of settings. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Usage } from "../failure.js"
import type { Output } from "../output.js"
import type { Translate, Worker } from "./declarations.js"
import type { Options, Origin } from "./findSettings.js"

export interface Service {
  /** The file of settings, if there is one. */
  readonly file: string | undefined
  /** The variables of the service (`LANGUAGE_SERVICE_URL` and so on), wherever they were found. The library's layers read them. */
  readonly provider: ConfigProvider.ConfigProvider
  /**
   * The settings of `translate` where flags are missing: from the environment and the file. Paths are relative to the
   * working directory.
   */
  readonly translate: Translate
  /** Where durable jobs are kept: from the environment and the file. It may hold a password. */
  readonly jobs: string | undefined
  /** The settings of `worker` where flags are missing. */
  readonly worker: Worker
  /** Where all is remembered that has no other place, from the working directory. */
  readonly stateFolder: string
  /** The absolute path of the folder from which records name outputs. */
  readonly root: string
  readonly origins: ReadonlyArray<Origin>
}

export class Settings extends Context.Tag("effect-translate/cli/Settings")<Settings, Service>() {}

/** The settings of this process. The modules that read and check them are loaded here, so that help does without them. */
export const layer = (
  options: Options,
  readsStandardInput: boolean
): Layer.Layer<Settings, Usage, FileSystem.FileSystem | Path.Path | Output> =>
  Layer.effect(
    Settings,
    Effect.flatMap(
      Effect.promise(() => import("./findSettings.js")),
      ({ find }) => find(options, { env: process.env, folder: process.cwd(), readsStandardInput })
    )
  )
