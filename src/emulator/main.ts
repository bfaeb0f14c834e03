#!/usr/bin/env node
/** The emulator as a program of its own: `effect-translate-emulator --port 8080 --key my-key`. */
import { parseArgs } from "node:util"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Emulator from "./Emulator.js"

const help = `effect-translate-emulator: the Language Service on this machine, with state in memory

  --port <number>             the port on 127.0.0.1; 0 is a free one (8080)
  --key <key>                 an accepted key; can be repeated (${Emulator.defaultKey})
  --admin-key <key>           an admin key; can be repeated. All keys are of one account then
  --character-limit <number>  the most characters for each account in a month
  --latency <milliseconds>    how long each request takes (0)
  --max-concurrent <number>   the most requests at once
  --queue-time <milliseconds> how long each document is queued (0)
  --translation-time <milliseconds>
                              how long each document is translated after that (0)
  --scheme <word>             the word before the key in the Authorization header (Service-Auth-Key)
  --help                      this text

Ctrl+C stops it.`

const flags = {
  port: { type: "string" },
  key: { type: "string", multiple: true },
  "admin-key": { type: "string", multiple: true },
  "character-limit": { type: "string" },
  latency: { type: "string" },
  "max-concurrent": { type: "string" },
  "queue-time": { type: "string" },
  "translation-time": { type: "string" },
  scheme: { type: "string" },
  help: { type: "boolean" }
} as const

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const parse = Effect.try({
  try: () => parseArgs({ args: process.argv.slice(2), options: flags }).values,
  catch: (error) => `${messageOf(error)}\n"--help" says what there is.`
})

type Values = Effect.Effect.Success<typeof parse>

const number = (
  values: Values,
  flag: "port" | "character-limit" | "latency" | "max-concurrent" | "queue-time" | "translation-time",
  max = Number.MAX_SAFE_INTEGER
): Effect.Effect<number | undefined, string> => {
  const value = values[flag]
  return value === undefined || (/^\d+$/.test(value) && Number(value) <= max)
    ? Effect.succeed(value === undefined ? undefined : Number(value))
    : Effect.fail(
        `--${flag} must be a whole number ${max === Number.MAX_SAFE_INTEGER ? "from 0" : `from 0 to ${max}`}`
      )
}

const optionsOf = (values: Values): Effect.Effect<Emulator.NodeOptions & { readonly port: number }, string> =>
  Effect.gen(function* () {
    const adminKeys = values["admin-key"] ?? []
    const account = adminKeys.length === 0 ? undefined : "account"
    return {
      port: (yield* number(values, "port", 65_535)) ?? 8080,
      keys: [
        ...(values.key ?? [Emulator.defaultKey]).map((key) => ({ key, account })),
        ...adminKeys.map((key) => ({ key, account, admin: true }))
      ],
      characterLimit: yield* number(values, "character-limit"),
      latency: yield* number(values, "latency"),
      maxConcurrent: yield* number(values, "max-concurrent"),
      documents: {
        queueTime: yield* number(values, "queue-time"),
        translationTime: yield* number(values, "translation-time")
      },
      scheme: values.scheme
    }
  })

const cannotServe = (port: number, { cause }: HttpServerError.ServeError): string =>
  Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
    ? `Port ${port} is taken: choose another with --port, or 0 for a free one.`
    : `Port ${port} can't be used (${messageOf(cause)}): choose another with --port, or 0 for a free one.`

const announce = (values: Values) =>
  Effect.flatMap(Emulator.Emulator, ({ url }) =>
    Console.log(
      [
        `The emulator listens on ${url}`,
        `Keys: ${(values.key ?? [Emulator.defaultKey]).join(", ")}`,
        ...(values["admin-key"] === undefined ? [] : [`Admin keys: ${values["admin-key"].join(", ")}`]),
        `Its endpoints: ${url}/docs`
      ].join("\n")
    )
  )

const serve = (values: Values) =>
  Effect.flatMap(optionsOf(values), (options) =>
    Layer.launch(Layer.provide(Layer.effectDiscard(announce(values)), Emulator.layerNode(options))).pipe(
      Effect.mapError((error) => cannotServe(options.port, error))
    )
  )

parse.pipe(
  Effect.flatMap((values) => (values.help === true ? Console.log(help) : serve(values))),
  Effect.tapError(Console.error),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
