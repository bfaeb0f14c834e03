/** A command: its type, its services, and running it. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Command, Group, Input } from "./commandLine/declare.js"
import type { Described } from "./failure.js"
import * as interrupts from "./interrupts.js"
import * as logs from "./logs.js"
import * as Output from "./output.js"
import type { CommonInput } from "./settings/declarations.js"
import * as Settings from "./settings/settings.js"

/** The services of actions. */
export type Services =
  | Output.Output
  | Settings.Settings
  | interrupts.Interrupts
  | FileSystem.FileSystem
  | Path.Path
  | Terminal.Terminal

/** The action of a command, or those of the commands of a noun by their names. */
export type Actions<D> =
  D extends Command<infer P>
    ? (input: Input<P> & CommonInput) => Effect.Effect<unknown, Described, Services>
    : D extends Group<infer C>
      ? { readonly [Name in keyof C]: Actions<C[Name]> }
      : never

/** Sends spans and metrics to a collector, if the environment names one. `called` are the words that call the command. */
const traced =
  (called: string) =>
  <A, E, R>(handled: Effect.Effect<A, E, R>) =>
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? Effect.flatMap(
          Effect.promise(() => import("./telemetry.js")),
          ({ exported }) => exported(called)(handled)
        )
      : handled

/** Runs an action with the settings and the output that its options ask for. */
export const run = <R>(called: string, input: CommonInput, action: Effect.Effect<unknown, Described, R>) =>
  interrupts
    .answered(traced(called)(Effect.asVoid(action)))
    .pipe(
      Effect.provide(
        Layer.provideMerge(
          Layer.merge(logs.layer, Settings.layer(input, Object.values<unknown>(input).flat().includes("-"))),
          Layer.succeed(Output.Output, Output.make(input))
        )
      )
    )
