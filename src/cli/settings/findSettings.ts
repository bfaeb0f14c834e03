/** Finds the settings of a process: in its environment, and in the file of settings. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Path from "@effect/platform/Path"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { constFalse } from "effect/Function"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { type Parameter, type Parameters, type SettingsOf, valuesOf } from "../commandLine/declare.js"
import { didYouMean } from "../commandLine/suggestion.js"
import { usage } from "../failure.js"
import { type ConfigFile, schemaOf } from "./configFile.js"
import * as declarations from "./declarations.js"
import { type Environment, hasKey, type KeyName, keyReader, type Source, valueIn } from "./keys.js"
import * as readConfigFile from "./readConfigFile.js"
import { keys, service } from "./serviceDeclarations.js"
import * as stateRoot from "./stateRoot.js"

/** Which settings a command line asks for. */
export interface Options {
  readonly config: string | undefined
  readonly profile: string | undefined
  readonly proxy: string | undefined
  readonly stateFolder?: string | undefined
}

/** A setting that was found, for `doctor`. */
export interface Origin {
  /** The variable of the environment that it is, or could be. */
  readonly name: string
  /** Its value; "set" for a key. */
  readonly value: string
  /** The variable, or the file and its key. */
  readonly from: string
}

/** The surroundings of a process apart from its command line. */
export interface Surroundings {
  readonly env: Environment
  /** The working directory. */
  readonly folder: string
  /** True if the command reads standard input, so that no key can come from there. */
  readonly readsStandardInput: boolean
}

const plainNames = ["url", "kind", "proxy", "tier", "name", "scheme", "relax", "account"] as const
const keyNames = ["key", "adminKey"] as const satisfies ReadonlyArray<KeyName>

/** The settings of the service that can be in the environment. */
const inEnvironment: Parameters = { ...service, ...keys }

/** The variable of a setting of the service. */
const variableOf = (field: string) => inEnvironment[field]?.setting?.variable ?? ""

const defined = Record.filter((value) => value !== undefined)

const environmentOf = (env: Environment, resolve: Source["resolve"]): Source => ({
  values: defined(Record.map(inEnvironment, (_, field) => valueIn(env, variableOf(field)))),
  nameOf: variableOf,
  resolve
})

const profileOf = ({ profiles = {} }: ConfigFile, name: string, file: string | undefined) => {
  const found = profiles[name]
  if (found !== undefined) return Effect.succeed(found)
  const names = Object.keys(profiles)
  return usage(
    file === undefined
      ? `There is no profile "${name}", as there is no file of settings: "effect-translate init" writes one.`
      : `${file} has no profile "${name}".${didYouMean(name, names) || (names.length === 0 ? "" : ` It has ${names.join(", ")}.`)}`
  )
}

const fromVariable = (name: string, parameter: Parameter, given: string) => {
  const value = parameter.isRepeated
    ? valuesOf(given)
    : parameter.type === "number" || parameter.type === "whole"
      ? Number(given)
      : given
  return Effect.mapError(Schema.decodeUnknown(schemaOf(parameter))(value), (error) =>
    usage(`${name} ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]!.message}.`)
  )
}

/** A setting of the file, with paths from the working directory. */
const relocated = (
  value: unknown,
  isPath: (value: string) => boolean,
  here: (path: string) => string
): unknown =>
  Array.isArray(value)
    ? value.map((one) => relocated(one, isPath, here))
    : typeof value === "string" && isPath(value)
      ? here(value)
      : value

/** The settings of some rows: from the environment, else from the file. */
const findAll = <P extends Parameters>(
  rows: P,
  env: Environment,
  file: { readonly [name: string]: unknown },
  { here, nameOf }: { readonly here: (path: string) => string; readonly nameOf: (field: string) => string }
) =>
  Effect.gen(function* () {
    const origins: Array<Origin> = []
    const found: Record.ReadonlyRecord<string, unknown> & { [name: string]: unknown } = {}
    for (const [field, row] of Object.entries(rows)) {
      const name = row.setting?.variable ?? ""
      const given = valueIn(env, name)
      const value =
        given === undefined
          ? relocated(file[field], row.setting?.isPath ?? constFalse, here)
          : yield* fromVariable(name, row, given)
      if (value === undefined) continue
      found[field] = value
      origins.push({
        name,
        value: shownOf([value].flat().map(written).join()),
        from: given === undefined ? nameOf(field) : name
      })
    }
    return { found: found as SettingsOf<P>, origins }
  })

const written = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value)

/** The shown part of a value: no part of an address that can be a password. */
const shownOf = (value: string) =>
  /^postgres/i.test(value) ? "postgres://…" : value.replace(/\/\/[^/]*@/, "//…@")

/** The same of a proxy, whose address may have no scheme. */
const shownOfProxy = (value: string) => value.replace(/^(\w+:\/\/)?.*@/, "$1…@")

const missing: Readonly<Record<string, string>> = {
  LANGUAGE_SERVICE_URL:
    'No address of the service: set LANGUAGE_SERVICE_URL, or "url" in effect-translate.config.json ("effect-translate init" writes it), or choose a profile with --profile. "effect-translate emulator" starts a service to try things with.',
  LANGUAGE_SERVICE_KEY:
    'No key of the service: set LANGUAGE_SERVICE_KEY, or LANGUAGE_SERVICE_KEY_FILE to a file that holds it, or "keyFile" in effect-translate.config.json ("effect-translate init" writes it).',
  LANGUAGE_SERVICE_ADMIN_KEY:
    'No admin key: set LANGUAGE_SERVICE_ADMIN_KEY, or LANGUAGE_SERVICE_ADMIN_KEY_FILE to a file that holds it, or "adminKeyFile" in effect-translate.config.json.'
}

/** The settings of the service under the variables of the library, and the rest of the environment. */
const providerOf = (
  env: Environment,
  folder: string,
  found: ReadonlyMap<string, Effect.Effect<string, ConfigError.ConfigError>>
): ConfigProvider.ConfigProvider => {
  const others = ConfigProvider.fromEnv().flattened
  const known = new Set([...plainNames, ...keyNames].map(variableOf))
  const unread = existsSync(join(folder, ".env"))
    ? ' The file .env is not read by itself: "set -a; . ./.env; set +a" does that in a shell.'
    : ""
  const lookup = (name: string) =>
    found.get(name) ??
    Effect.fail(
      ConfigError.MissingData(
        [name],
        `${env[name] === "" ? `${name} is empty. ` : ""}${missing[name] ?? `${name} is not set.`}${unread}`
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
    const given: Source = { values: { proxy: options.proxy }, nameOf: () => "--proxy", resolve: resolveHere }
    const sources =
      options.profile === undefined
        ? [given, environment, ...profile, top]
        : [given, ...profile, environment, top]
    // The account belongs to a key: a profile with a key of its own does not take another one's.
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
      const name = variableOf(field)
      const value = source.values[field]!
      found.set(name, Effect.succeed(value))
      const shown = field === "proxy" ? shownOfProxy(value) : shownOf(value)
      origins.push({ name, value: shown, from: source.nameOf(field) })
    }
    for (const key of keyNames) {
      const source = sources.find((source) => hasKey(source, key))
      if (source === undefined) continue
      const name = variableOf(key)
      const { from, read } = yield* readKey(name, key, source)
      found.set(name, read)
      origins.push({ name, value: "set", from })
    }

    const here = (name: string) => path.relative(folder, resolve(name)) || "."
    const { options: shared, ...ofFile } = config.translate ?? {}
    const translate = yield* findAll(declarations.translate, env, ofFile, {
      here,
      nameOf: nameOf("translate.")
    })
    const origin = { name: "", value: written(shared), from: nameOf("translate.")("options") }
    const jobs = yield* findAll({ jobs: declarations.jobs }, env, config, { here, nameOf: nameOf("") })
    const worker = yield* findAll(declarations.worker, env, config.worker ?? {}, {
      here,
      nameOf: nameOf("worker.")
    })
    const root = yield* stateRoot.rootOf(folder, file)
    const state = yield* findAll({ stateFolder: declarations.common.stateFolder }, env, config, {
      here,
      nameOf: nameOf("")
    })
    const stateFolderOf = options.stateFolder ?? state.found.stateFolder
    if (stateFolderOf?.trim() === "") {
      return yield* usage("--state-folder is empty: name a folder.")
    }
    return {
      file,
      stateFolder: stateFolderOf ?? path.relative(folder, path.join(root, stateRoot.standard)),
      root,
      provider: providerOf(env, folder, found),
      translate: { ...translate.found, options: shared },
      jobs: jobs.found.jobs,
      worker: worker.found,
      origins: [
        ...origins,
        ...translate.origins,
        ...(shared === undefined ? [] : [origin]),
        ...jobs.origins,
        ...worker.origins,
        ...state.origins
      ]
    }
  })
