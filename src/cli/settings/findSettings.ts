/** Finds the settings of a process: in its environment, and in the file of settings. */
import * as Path from "@effect/platform/Path"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { Usage } from "../failure.js"
import { didYouMean } from "../parsing/suggestion.js"
import { type ConfigFile, Translate, Worker } from "./configFile.js"
import { type Environment, hasKey, type KeyName, keyReader, type Source, valueIn } from "./keys.js"
import * as readConfigFile from "./readConfigFile.js"
import type { Options, Origin, Service } from "./settings.js"

/** What a process is given besides its command line. */
export interface Surroundings {
  readonly env: Environment
  /** The working directory. */
  readonly folder: string
  /** Whether the command reads standard input, so that no key can come from there. */
  readonly readsStandardInput: boolean
}

const upperSnake = (name: string) => name.replace(/[A-Z]/g, "_$&").toUpperCase()

/** The variable of a setting of the service. */
export const serviceVariable = (field: string) => `LANGUAGE_SERVICE_${upperSnake(field)}`
/** The variable of a setting of `translate`. */
export const translateVariable = (field: string) => `EFFECT_TRANSLATE_${upperSnake(field)}`
/** The variable of a setting of `worker`. */
export const workerVariable = (field: string) => `EFFECT_TRANSLATE_WORKER_${upperSnake(field)}`

/** The variable of the key of jobs over HTTP. */
export const jobsKey = translateVariable("jobsKey")

const plainNames = ["url", "tier", "name", "scheme", "account"] as const
const keyNames = ["key", "adminKey"] as const satisfies ReadonlyArray<KeyName>

/** The variables of the environment that are settings. */
export const variables: ReadonlyArray<string> = [
  ...[...plainNames, ...keyNames, ...keyNames.map((key) => `${key}File`)].map(serviceVariable),
  ...["config", "profile", "jobs", ...Object.keys(Translate.fields)].map(translateVariable),
  ...Object.keys(Worker.fields).map(workerVariable),
  jobsKey,
  `${jobsKey}_FILE`
]

const defined = Record.filter((value) => value !== undefined)

const environmentOf = (env: Environment, resolve: Source["resolve"]): Source => ({
  values: defined(
    Object.fromEntries(
      [...plainNames, ...keyNames, ...keyNames.map((key) => `${key}File`)].map((field) => [
        field,
        valueIn(env, serviceVariable(field))
      ])
    )
  ),
  nameOf: serviceVariable,
  resolve
})

const profileOf = ({ profiles = {} }: ConfigFile, name: string, file: string | undefined) => {
  const found = profiles[name]
  if (found !== undefined) return Effect.succeed(found)
  const names = Object.keys(profiles)
  return new Usage({
    message:
      file === undefined
        ? `There is no profile "${name}", as there is no file of settings: "effect-translate init" writes one.`
        : `${file} has no profile "${name}".${didYouMean(name, names) || (names.length === 0 ? "" : ` It has ${names.join(", ")}.`)}`
  })
}

/** A list is parted at the commas outside of `{a,b}`. */
const fromVariable = <A, I>(name: string, field: string, schema: Schema.Schema<A, I>, value: string) => {
  const decoded = [value, Number(value), value.split(/,(?![^{]*\})/).map((part) => part.trim())].map(
    (candidate) => Schema.decodeUnknownEither(schema)({ [field]: candidate })
  )
  const first = decoded.find(Either.isRight) ?? decoded[0]!
  return Effect.mapError(
    first,
    (error) =>
      new Usage({ message: `${name} ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]!.message}.` })
  )
}

type Origins = Array<Origin>

/** The settings of `translate`: from the environment, else from the file. */
const findTranslate = (env: Environment, inFile: Translate, nameOf: (field: string) => string) =>
  Effect.gen(function* () {
    const origins: Origins = []
    let translate = inFile
    for (const field of Object.keys(Translate.fields) as ReadonlyArray<keyof Translate>) {
      const name = translateVariable(field)
      const value = valueIn(env, name)
      if (value !== undefined) {
        translate = { ...translate, ...(yield* fromVariable(name, field, Translate.pick(field), value)) }
      }
      if (translate[field] !== undefined) {
        const from = value === undefined ? nameOf(`translate.${field}`) : name
        origins.push({ name, value: shownOf(String(translate[field])), from })
      }
    }
    return { translate, origins }
  })

/** The settings of durable jobs: from the environment, else from the file. */
const findWorker = (
  env: Environment,
  file: { readonly jobs: string | undefined; readonly worker: Worker },
  nameOf: (field: string) => string
) =>
  Effect.gen(function* () {
    const origins: Origins = []
    const name = translateVariable("jobs")
    const given = valueIn(env, name)
    const jobs = given ?? file.jobs
    if (jobs !== undefined) {
      origins.push({ name, value: shownOf(jobs), from: given === undefined ? nameOf("jobs") : name })
    }
    let worker = file.worker
    for (const field of Object.keys(Worker.fields) as ReadonlyArray<keyof Worker>) {
      const name = workerVariable(field)
      const value = valueIn(env, name)
      if (value !== undefined) {
        worker = { ...worker, ...(yield* fromVariable(name, field, Worker.pick(field), value)) }
      }
      if (worker[field] !== undefined) {
        const from = value === undefined ? nameOf(`worker.${field}`) : name
        origins.push({ name, value: String(worker[field]), from })
      }
    }
    return { jobs, worker, origins }
  })

const isPath = (field: string, value: string): boolean =>
  field === "files" ||
  field === "out" ||
  (field === "store" && value !== "none" && !value.includes("://")) ||
  (field === "glossary" && /[\\/.]/.test(value))

/** What may be shown of a value: no part of an address that can be a password. */
const shownOf = (value: string) =>
  /^postgres/i.test(value) ? "postgres://…" : value.replace(/\/\/[^/]*@/, "//…@")

/** The settings of `translate` in the file, with paths from the working directory. */
const relocated = (translate: Translate, relocate: (path: string) => string): Translate =>
  Record.map(translate as Record.ReadonlyRecord<string, unknown>, (value, field) => {
    const one = (text: unknown) =>
      typeof text === "string" && isPath(field, text) && text !== "-" ? relocate(text) : text
    return Array.isArray(value) ? value.map(one) : one(value)
  })

const missing: Readonly<Record<string, string>> = {
  LANGUAGE_SERVICE_URL:
    'No address of the service: set LANGUAGE_SERVICE_URL, or "url" in effect-translate.config.json ("effect-translate init" writes it), or choose a profile with --profile. "effect-translate emulator" starts a service to try things with.',
  LANGUAGE_SERVICE_KEY:
    'No key of the service: set LANGUAGE_SERVICE_KEY, or LANGUAGE_SERVICE_KEY_FILE to a file that holds it, or "keyFile" in effect-translate.config.json ("effect-translate init" writes it). "effect-translate emulator" starts a service to try things with.',
  LANGUAGE_SERVICE_ADMIN_KEY:
    'No admin key: set LANGUAGE_SERVICE_ADMIN_KEY, or LANGUAGE_SERVICE_ADMIN_KEY_FILE to a file that holds it, or "adminKeyFile" in effect-translate.config.json. "effect-translate emulator" starts a service to try things with.'
}

/** The settings of the service under the variables of the library, and whatever else is in the environment. */
const providerOf = (
  env: Environment,
  found: ReadonlyMap<string, Effect.Effect<string, ConfigError.ConfigError>>
): ConfigProvider.ConfigProvider => {
  const others = ConfigProvider.fromEnv().flattened
  const known = new Set([...plainNames, ...keyNames].map(serviceVariable))
  const lookup = (name: string) =>
    found.get(name) ??
    Effect.fail(
      ConfigError.MissingData(
        [name],
        `${env[name] === "" ? `${name} is empty. ` : ""}${missing[name] ?? `${name} is not set.`}`
      )
    )
  const flat = ConfigProvider.makeFlat({
    load: (path, primitive, split) => {
      const name = path.join("_")
      return known.has(name)
        ? Effect.flatMap(lookup(name), (value) =>
            ConfigProvider.fromMap(new Map([[name, value]])).flattened.load([name], primitive, split)
          )
        : others.load(path, primitive, split)
    },
    enumerateChildren: others.enumerateChildren,
    patch: others.patch
  })
  // Of a key that can't be loaded, `Config.redacted` hides also why.
  const why = (error: ConfigError.ConfigError): Effect.Effect<never, ConfigError.ConfigError> => {
    if (error._op === "And" || error._op === "Or") return why(error.left)
    const name = error.path.join("_")
    return known.has(name) ? Effect.zipRight(lookup(name), Effect.fail(error)) : Effect.fail(error)
  }
  const { flattened, load } = ConfigProvider.fromFlat(flat)
  return ConfigProvider.make({ load: (config) => Effect.catchAll(load(config), why), flattened })
}

export const find = (options: Options, { env, folder, readsStandardInput }: Surroundings) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const named = options.config ?? valueIn(env, "EFFECT_TRANSLATE_CONFIG")
    const file = named === undefined ? yield* readConfigFile.find(folder) : path.resolve(folder, named)
    const shown = file === undefined ? undefined : path.relative(folder, file)
    const config: ConfigFile = file === undefined ? {} : yield* readConfigFile.read(file, shown!)
    const resolveHere = (name: string) => path.resolve(folder, name)
    const resolve = (name: string) => (file === undefined ? name : path.resolve(path.dirname(file), name))

    const profileName = options.profile ?? valueIn(env, "EFFECT_TRANSLATE_PROFILE") ?? config.profile
    const nameOf = (prefix: string) => (field: string) => `${shown} (${prefix}${field})`
    const profile: ReadonlyArray<Source> =
      profileName === undefined
        ? []
        : [
            {
              values: yield* profileOf(config, profileName, shown),
              nameOf: nameOf(`profiles.${profileName}.`),
              resolve
            }
          ]
    const environment = environmentOf(env, resolveHere)
    const top: Source = { values: config, nameOf: nameOf(""), resolve }
    const sources =
      options.profile === undefined ? [environment, ...profile, top] : [...profile, environment, top]
    // The account is that of a key: a profile with a key of its own does not take another one's.
    const accountSources = sources.slice(
      0,
      sources.findIndex((source) => source === profile[0] && hasKey(source, "key")) + 1 || undefined
    )

    const readKey = yield* keyReader(env, readsStandardInput)
    const found = new Map<string, Effect.Effect<string, ConfigError.ConfigError>>()
    const origins: Array<Origin> = []
    if (profileName !== undefined) {
      const from =
        options.profile !== undefined
          ? "--profile"
          : valueIn(env, "EFFECT_TRANSLATE_PROFILE") !== undefined
            ? "EFFECT_TRANSLATE_PROFILE"
            : nameOf("")("profile")
      origins.push({ name: "EFFECT_TRANSLATE_PROFILE", value: profileName, from })
    }
    for (const field of plainNames) {
      const source = (field === "account" ? accountSources : sources).find(
        ({ values }) => values[field] !== undefined
      )
      if (source === undefined) continue
      const name = serviceVariable(field)
      const value = source.values[field]!
      found.set(name, Effect.succeed(value))
      origins.push({ name, value: shownOf(value), from: source.nameOf(field) })
    }
    for (const key of keyNames) {
      const source = sources.find((source) => hasKey(source, key))
      if (source === undefined) continue
      const name = serviceVariable(key)
      const { from, read } = yield* readKey(name, key, source)
      found.set(name, read)
      origins.push({ name, value: "set", from })
    }

    const here = (name: string) => path.relative(folder, resolve(name)) || "."
    const translate = yield* findTranslate(env, relocated(config.translate ?? {}, here), nameOf(""))
    const { jobs } = config
    const jobsInFile = jobs === undefined || jobs.includes("://") ? jobs : here(jobs)
    const worker = yield* findWorker(env, { jobs: jobsInFile, worker: config.worker ?? {} }, nameOf(""))
    return {
      file,
      provider: providerOf(env, found),
      translate: translate.translate,
      jobs: worker.jobs,
      worker: worker.worker,
      origins: [...origins, ...translate.origins, ...worker.origins]
    } satisfies Service
  })
