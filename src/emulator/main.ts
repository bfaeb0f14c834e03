#!/usr/bin/env node
/** The emulator as a program of its own: `effect-translate-emulator --port 8080 --key my-key`. */
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Emulator from "./Emulator.js"
import * as commandLine from "./internal/commandLine.js"

const cannotServe = (port: number, { cause }: HttpServerError.ServeError): string =>
  Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
    ? `Port ${port} is taken: choose another with --port, or 0 for a free one.`
    : `Port ${port} can't be used (${commandLine.messageOf(cause)}): choose another with --port, or 0 for a free one.`

const announce = (keys: NonNullable<Emulator.Options["keys"]>) =>
  Effect.flatMap(Emulator.Emulator, ({ url }) => {
    const all = keys.map((key) => (typeof key === "string" ? { key } : key))
    const listed = (name: string, isAdmin: boolean) => {
      const these = all.filter(({ admin = false }) => admin === isAdmin).map(({ key }) => key)
      return these.length === 0 ? [] : [`${name}: ${these.join(", ")}`]
    }
    return Console.log(
      [
        `The emulator listens on ${url}`,
        ...listed("Keys", false),
        ...listed("Admin keys", true),
        `Its endpoints: ${url}/docs`
      ].join("\n")
    )
  })

const serve = (values: commandLine.Values) =>
  Effect.flatMap(commandLine.optionsOf(values), (options) =>
    Layer.launch(
      Layer.provide(Layer.effectDiscard(announce(options.keys)), Emulator.layerNode(options))
    ).pipe(Effect.mapError((error) => cannotServe(options.port, error)))
  )

// A closed terminal ends it as SIGTERM does.
process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))

commandLine.parse.pipe(
  Effect.flatMap((values) => (values.help === true ? Console.log(commandLine.help) : serve(values))),
  Effect.tapError(Console.error),
  Effect.provide([NodeFileSystem.layer, NodePath.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
