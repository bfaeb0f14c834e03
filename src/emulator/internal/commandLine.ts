import { parseArgs } from "node:util"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Emulator from "../Emulator.js"
import * as Fault from "../Fault.js"
import * as Rules from "../Rules.js"
import * as StateFile from "../StateFile.js"

/** What the program says of its flags. */
export const help = `effect-translate-emulator: the Language Service on this machine

  --port <number>             the port on 127.0.0.1; 0 is a free one (8080)
  --key <key>                 an accepted key; can be repeated (${Emulator.defaultKey})
  --admin-key <key>           an admin key; can be repeated. All keys are of one account then
  --scheme <word>             the word before the key in the Authorization header (Service-Auth-Key)
  --state <file>              keeps keys, usage, glossaries and style rules in this file

Limits:
  --character-limit <number>  the most characters for each account in a month
  --max-concurrent <number>   the most requests at once
  --max-body-bytes <number>   the most bytes of a body without a limit of its own (100000000)
  --max-document-bytes <number>
                              the most bytes of a document (500000000)
  --max-waiting <number>      the most documents of a key that wait for their download
  --latency <milliseconds>    how long each request takes (0)
  --queue-time <milliseconds> how long each document is queued (0)
  --translation-time <milliseconds>
                              how long each document is translated after that (0)

Faults:
  --fault <what>=<share>      a fault for a share of the requests, from 0 to 1; can be repeated:
                              ${Object.keys(faultNames()).join(", ")}, or a status such as 503
  --poison <marker>           400 for requests with a text that contains the marker; can be repeated
  --rules <file>              faults and limits from a JSON file; flags come before it

Switches:
  --allow-unknown             takes languages, styles and translation memories that it does not know
  --instruction-answer <list|instruction>
                              what a new custom instruction is answered with (list)
  --help                      this text

Ctrl+C stops it.`

const flags = {
  port: { type: "string" },
  key: { type: "string", multiple: true },
  "admin-key": { type: "string", multiple: true },
  scheme: { type: "string" },
  state: { type: "string" },
  "character-limit": { type: "string" },
  "max-concurrent": { type: "string" },
  "max-body-bytes": { type: "string" },
  "max-document-bytes": { type: "string" },
  "max-waiting": { type: "string" },
  latency: { type: "string" },
  "queue-time": { type: "string" },
  "translation-time": { type: "string" },
  fault: { type: "string", multiple: true },
  poison: { type: "string", multiple: true },
  rules: { type: "string" },
  "allow-unknown": { type: "boolean" },
  "instruction-answer": { type: "string" },
  help: { type: "boolean" }
} as const

function faultNames(): { readonly [name: string]: Fault.Fault } {
  return {
    cut: Fault.cutConnection(),
    "cut-after": Fault.cutConnection({ when: "after" }),
    "cut-mid-body": Fault.cutConnection({ when: "mid-body" }),
    "short-answer": Fault.shortAnswer,
    "long-answer": Fault.longAnswer,
    garbage: Fault.garbage
  }
}

/** What went wrong, in words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The flags as they were given, or what is wrong with them. */
export const parse = Effect.try({
  try: () => parseArgs({ args: process.argv.slice(2), options: flags }).values,
  catch: (error) => `${messageOf(error)}\n"--help" says what there is.`
})

/** The flags as they were given. */
export type Values = Effect.Effect.Success<typeof parse>

type NumberFlag = {
  [Flag in keyof Values]-?: Values[Flag] extends string | undefined ? Flag : never
}[keyof Values]

const number = (
  values: Values,
  flag: NumberFlag,
  max = Number.MAX_SAFE_INTEGER
): Effect.Effect<number | undefined, string> => {
  const value = values[flag]
  return value === undefined || (/^\d+$/.test(value) && Number(value) <= max)
    ? Effect.succeed(value === undefined ? undefined : Number(value))
    : Effect.fail(
        `--${flag} must be a whole number ${max === Number.MAX_SAFE_INTEGER ? "from 0" : `from 0 to ${max}`}`
      )
}

const ofStatus = (status: number): Fault.Fault =>
  Fault.status(status, status === 429 || status === 503 ? { retryAfter: 1 } : {})

const fault = (given: string): Effect.Effect<Fault.Fault, string> => {
  const [, name = "", share = ""] = /^([^=]*)=(\d*\.?\d+)$/.exec(given) ?? []
  const kind = /^[2-5]\d\d$/.test(name) ? ofStatus(Number(name)) : faultNames()[name]
  return kind === undefined || Number(share) > 1
    ? Effect.fail(
        `--fault must be a fault and its share of the requests, such as 503=0.01 or cut=0.1; the faults are a status, ${Object.keys(faultNames()).join(", ")}`
      )
    : Effect.succeed(kind.pipe(Fault.probability(Number(share)), Fault.times(Number.POSITIVE_INFINITY)))
}

const instructionAnswer = (
  value: string | undefined
): Effect.Effect<Emulator.Options["instructionAnswer"], string> =>
  value === undefined || value === "list" || value === "instruction"
    ? Effect.succeed(value)
    : Effect.fail("--instruction-answer must be list or instruction")

/** Flags that were not given leave a setting as it is. */
const given = <A extends object>(settings: A): Partial<A> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<A>

const keysOf = (values: Values): Emulator.Options["keys"] => {
  const { key, "admin-key": adminKeys = [] } = values
  if (key === undefined && adminKeys.length === 0) return undefined
  const account = adminKeys.length === 0 ? undefined : "account"
  return [
    ...(key ?? [Emulator.defaultKey]).map((key) => ({ key, account })),
    ...adminKeys.map((key) => ({ key, account, admin: true }))
  ]
}

/** An emulator as the flags, and the files that they name, describe it. */
export const optionsOf = (
  values: Values
): Effect.Effect<
  Emulator.NodeOptions & { readonly port: number; readonly keys: NonNullable<Emulator.Options["keys"]> },
  string,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const limits = {
      characterLimit: yield* number(values, "character-limit"),
      maxConcurrent: yield* number(values, "max-concurrent"),
      maxBodyBytes: yield* number(values, "max-body-bytes"),
      latency: yield* number(values, "latency")
    }
    const documents = {
      maxBytes: yield* number(values, "max-document-bytes"),
      maxWaiting: yield* number(values, "max-waiting"),
      queueTime: yield* number(values, "queue-time"),
      translationTime: yield* number(values, "translation-time")
    }
    const port = (yield* number(values, "port", 65_535)) ?? 8080
    const faults = yield* Effect.forEach(values.fault ?? [], fault)
    const answer = yield* instructionAnswer(values["instruction-answer"])
    const message = Effect.mapError(({ message }: Error) => message)
    const rules = values.rules === undefined ? {} : Rules.toOptions(yield* message(Rules.load(values.rules)))
    const state = values.state === undefined ? undefined : yield* message(StateFile.open(values.state))
    return {
      ...rules,
      ...given({
        ...limits,
        scheme: values.scheme,
        allowUnknown: values["allow-unknown"],
        instructionAnswer: answer
      }),
      keys: keysOf(values) ?? rules.keys ?? [Emulator.defaultKey],
      port,
      state,
      documents: { ...rules.documents, ...given(documents) },
      faults: [...(values.poison ?? []).map(Fault.poison), ...faults, ...(rules.faults ?? [])]
    }
  })
