/** Reads keys: from the environment, a file or standard input. Neither a key nor a value that may be one by mistake is in a message. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isMissing } from "../../internal/files.js"
import * as namedFiles from "../namedFiles.js"
import { Output } from "../output.js"
import type { Profile } from "./serviceDeclarations.js"

export type Environment = Readonly<Record<string, string | undefined>>

export type KeyName = "key" | "adminKey"

/** A place that holds settings, with the names that they have there, and the folder of their paths. */
export interface Source {
  readonly values: Profile & { readonly [Key in KeyName]?: string | undefined }
  readonly nameOf: (field: string) => string
  readonly resolve: (path: string) => string
}

/** A variable that is set, but empty, counts as one that is not set: so are the secrets of a CI in a fork. */
export const valueIn = (env: Environment, name: string): string | undefined =>
  env[name] === "" ? undefined : env[name]

export const hasKey = ({ values }: Source, key: KeyName): boolean =>
  values[key] !== undefined || values[`${key}File`] !== undefined || values[`${key}Variable`] !== undefined

/** The permission bit for others to read. */
const readableByOthers = 0o004

/** Finds keys in sources. They are read when they are asked for, and once. */
export const keyReader = (env: Environment, readsStandardInput: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { note } = yield* Output
    const standardInput = yield* Effect.cached(
      namedFiles.standardInput.pipe(Stream.decodeText(), Stream.mkString)
    )

    const readFile = (file: string, from: string, invalid: (problem: string) => ConfigError.ConfigError) =>
      Effect.gen(function* () {
        if (file === "-") {
          if (readsStandardInput) {
            return yield* Effect.fail(
              invalid(`${from} is -, but standard input holds the text: take a file for the key`)
            )
          }
          return process.stdin.isTTY
            ? yield* Effect.fail(invalid(`${from} is -, but nothing is piped to standard input`))
            : yield* Effect.mapError(standardInput, ({ message }) => invalid(message.replace(/\.$/, "")))
        }
        const content = yield* Effect.mapError(files.readFileString(file), (error) =>
          invalid(
            isMissing(error)
              ? `The file that ${from} names does not exist`
              : `The file that ${from} names can't be read`
          )
        )
        const { mode } = yield* Effect.orElseSucceed(files.stat(file), () => ({ mode: 0 }))
        if (process.platform !== "win32" && (mode & readableByOthers) !== 0) {
          yield* note(`Others can read the key in ${file}: "chmod 600" it.`)
        }
        return content
      })

    return (name: string, key: KeyName, { nameOf, resolve, values }: Source) => {
      const invalid = (problem: string) => ConfigError.InvalidData([name], problem)
      const given = values[key]
      if (given !== undefined) return Effect.succeed({ from: nameOf(key), read: Effect.succeed(given) })
      const file = values[`${key}File`]
      const variable = values[`${key}Variable`]
      const from = nameOf(file === undefined ? `${key}Variable` : `${key}File`)
      const content =
        file !== undefined
          ? readFile(file === "-" ? file : resolve(file), from, invalid)
          : Effect.orElseFail(Effect.fromNullable(valueIn(env, variable!)), () =>
              invalid(`${from} names the variable ${variable}, which is not set`)
            )
      const read = Effect.filterOrFail(
        Effect.map(content, (text) => text.trim()),
        (text) => text !== "" && !/\s/.test(text),
        (text) => invalid(text === "" ? `${from}: there is no key` : `${from}: the key holds a space`)
      )
      return Effect.map(Effect.cached(read), (read) => ({ from, read }))
    }
  })
