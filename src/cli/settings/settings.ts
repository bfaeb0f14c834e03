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
  /** What `translate` does without flags: from the environment and the file. Paths are relative to the working directory. */
  readonly translate: Translate
  /** Where durable jobs are kept: from the environment and the file. It may hold a password. */
  readonly jobs: string | undefined
  /** What `worker` does without flags. */
  readonly worker: Worker
  readonly origins: ReadonlyArray<Origin>
}

export class Settings extends Context.Tag("effect-translate/cli/Settings")<Settings, Service>() {}

/** The settings of this process. What reads and checks them is loaded here, so that help does without it. */
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
