import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Emulator from "../../emulator/Emulator.js"
import * as Fault from "../../emulator/Fault.js"
import * as Rules from "../../emulator/Rules.js"
import * as StateFile from "../../emulator/StateFile.js"
import type { Actions } from "../command.js"
import type { emulator, faultNames } from "../declarations/setup.js"
import { type Usage, usage } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import type { InputOf } from "../settings/declarations.js"

type Input = InputOf<typeof emulator>

const faults: { readonly [Name in (typeof faultNames)[number]]: Fault.Fault } = {
  cut: Fault.cutConnection(),
  "cut-after": Fault.cutConnection({ when: "after" }),
  "cut-mid-body": Fault.cutConnection({ when: "mid-body" }),
  "short-answer": Fault.shortAnswer,
  "long-answer": Fault.longAnswer,
  garbage: Fault.garbage
}

const ofStatus = (status: number): Fault.Fault =>
  Fault.status(status, status === 429 || status === 503 ? { retryAfter: 1 } : {})

const fault = (given: string): Effect.Effect<Fault.Fault, Usage> => {
  const [, name = "", share = ""] = /^([^=]*)=(\d*\.?\d+)$/.exec(given) ?? []
  const named = Object.entries(faults).find(([known]) => known === name)?.[1]
  const kind = /^[2-5]\d\d$/.test(name) ? ofStatus(Number(name)) : named
  return kind === undefined || Number(share) > 1
    ? usage(
        `--fault must be a fault and its share of the requests, such as 503=0.01 or cut=0.1; the faults are a status, ${Object.keys(faults).join(", ")}`
      )
    : Effect.succeed(kind.pipe(Fault.probability(Number(share)), Fault.times(Number.POSITIVE_INFINITY)))
}

/** Flags that were not given leave a setting as it is. */
const given = <A extends object>(settings: A): Partial<A> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<A>

const withOptions = (key: string | Emulator.KeyOptions): Emulator.KeyOptions =>
  typeof key === "string" ? { key } : key

/** Keys of flags take the place of those of their kind in the file; admin keys administer the account of the others. */
const keysOf = ({ adminKey, key }: Input, inFile: Emulator.Options["keys"]): Emulator.Options["keys"] => {
  if (key.length === 0 && adminKey.length === 0) return inFile
  const [others, admins] = Arr.partition(
    (inFile ?? [Emulator.defaultKey]).map(withOptions),
    ({ admin }) => admin === true
  )
  const keys = key.length === 0 ? others : key.map(withOptions)
  if (adminKey.length === 0) return [...keys, ...admins]
  const account = keys.find(({ account }) => account !== undefined)?.account ?? "account"
  return [
    ...keys.map((key) => ({ account, ...key })),
    ...adminKey.map((key) => ({ key, account, admin: true }))
  ]
}

const message = Effect.mapError(({ message }: Error) => usage(message))

/** An emulator as the flags, and the files that they name, describe it. */
const optionsOf = (input: Input) =>
  Effect.gen(function* () {
    const rules = input.faults === undefined ? {} : Rules.toOptions(yield* message(Rules.load(input.faults)))
    const state = input.state === undefined ? undefined : yield* message(StateFile.open(input.state))
    return {
      ...rules,
      ...given({
        characterLimit: input.characterLimit,
        maxConcurrent: input.maxConcurrent,
        requestsPerSecond: input.requestsPerSecond,
        maxBodyBytes: input.maxBodyBytes,
        latency: input.latency,
        kind: input.kind,
        scheme: input.scheme,
        allowUnknown: input.allowUnknown ? true : undefined,
        rough: input.rough ? true : undefined,
        instructionAnswer: input.instructionAnswer
      }),
      keys: keysOf(input, rules.keys) ?? Emulator.defaultKeys,
      port: input.port,
      state,
      documents: {
        ...rules.documents,
        ...given({
          maxBytes: input.maxDocumentBytes,
          maxWaiting: input.maxWaiting,
          queueTime: input.queueTime,
          translationTime: input.translationTime
        })
      },
      faults: [
        ...input.poison.map(Fault.poison),
        ...(yield* Effect.forEach(input.fault, fault)),
        ...(rules.faults ?? [])
      ]
    }
  })

/** The lines that a person pastes into a shell for using the emulator. */
const exportsOf = (
  url: string,
  keys: ReadonlyArray<Emulator.KeyOptions>,
  { kind, scheme }: Emulator.Options
) => {
  const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
  const first = (isAdmin: boolean) => keys.find(({ admin = false }) => admin === isAdmin)?.key
  const variables = {
    LANGUAGE_SERVICE_URL: url,
    LANGUAGE_SERVICE_KEY: first(false),
    LANGUAGE_SERVICE_ADMIN_KEY: first(true),
    LANGUAGE_SERVICE_KIND: typeof kind === "string" ? kind : kind?.name,
    LANGUAGE_SERVICE_SCHEME: scheme
  }
  return Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`export ${name}=${/^[\w:/.-]+$/.test(value) ? value : quoted(value)}`]
  )
}

const announce = (options: Emulator.Options) =>
  Effect.gen(function* () {
    const { url } = yield* Emulator.Emulator
    const all = (options.keys ?? []).map(withOptions)
    const keys = all.filter(({ admin }) => admin !== true).map(({ key }) => key)
    const adminKeys = all.filter(({ admin }) => admin === true).map(({ key }) => key)
    const listed = (name: string, keys: ReadonlyArray<string>) =>
      keys.length === 0 ? [] : [`${name}: ${keys.join(", ")}`]
    yield* Output.result(
      { url, keys, adminKeys, docs: `${url}/docs` },
      [
        `The emulator listens on ${url}`,
        ...listed("Keys", keys),
        ...listed("Admin keys", adminKeys),
        `Its endpoints: ${url}/docs`,
        "To use it, paste this into another terminal:",
        "",
        ...exportsOf(url, all, options),
        ""
      ].join("\n")
    )
  })

const cannotServe = (port: number, cause: unknown): Usage => {
  const isTaken = Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
  const why = cause instanceof Error ? cause.message : String(cause)
  return usage(
    `Port ${port} ${isTaken ? "is taken" : `can't be used (${why})`}: choose another with --port, or 0 for a free one.`
  )
}

export const actions: Actions<typeof emulator> = (input) =>
  Effect.gen(function* () {
    const options = yield* optionsOf(input)
    const serving = Layer.launch(
      Layer.provide(Layer.effectDiscard(announce(options)), Emulator.layerNode(options))
    ).pipe(Effect.catchTag("ServeError", ({ cause }) => cannotServe(options.port, cause)))
    const { graceful } = yield* Interrupts
    yield* graceful((requested) => Effect.raceFirst(serving, requested))
  })
