/** Files as sources in tests: folders, and a job that keeps what it is told. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { TranslateStream } from "effect-translate"
import { JobSource } from "effect-translate/jobs"

/** A folder of its own, with files in it. */
export const folderWith = (files: Readonly<Record<string, string>>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.tap(fs.makeTempDirectoryScoped(), (folder) =>
      Effect.sync(() => {
        for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
      })
    )
  )

export const sourceIn = (
  folder: string,
  path: string,
  options: Partial<JobSource.FileOptions> & Pick<JobSource.FileOptions, "format">
) =>
  JobSource.file({
    path: `${folder}/${path}`,
    output: `${folder}/{lang}/${path}`,
    stateFolder: `${folder}/.state`,
    ...options
  })

/** Translates a source, and keeps what it reports. */
export const run = <E extends { readonly _tag: string }, R>(
  source: JobSource.JobSource<E, R>,
  targets: ReadonlyArray<string> = ["de"],
  translation: Partial<Omit<JobSource.Translation, "options">> & {
    readonly options?: Partial<TranslateStream.Options> | undefined
  } = {}
) => {
  const seen: Array<JobSource.Observed> = []
  return source
    .translate(
      targets.map((targetLang) => ({
        partial: false,
        observe: (outcomes) => Effect.sync(() => void seen.push(...outcomes)),
        ...translation,
        options: { targetLang, sourceLang: "en", maxTexts: 1, ...translation.options }
      }))
    )
    .pipe(
      Effect.map((results) => ({
        results,
        seen,
        written: results.map((result) => (Either.isRight(result) ? result.right : undefined)),
        states: results.map((result) => (Either.isRight(result) ? result.right.state : result.left._tag))
      }))
    )
}

export const textIn = (folder: string, path: string) => readFileSync(`${folder}/${path}`, "utf8")

/** All files below a folder, but those of what is remembered. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".state") && !statSync(`${folder}/${name}`).isDirectory())
    .sort()
