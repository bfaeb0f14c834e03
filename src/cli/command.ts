/** How commands are made: their options here, and what they do in a module that is loaded when they are called. */
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Terminal from "@effect/platform/Terminal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Described } from "./failure.js"
import type { Interrupts } from "./interrupts.js"
import * as Output from "./output.js"
import * as Settings from "./settings/settings.js"

/** An option that may be left out. */
export const optional = <A>(option: Options.Options<A>): Options.Options<A | undefined> =>
  option.pipe(Options.optional, Options.map(Option.getOrUndefined))

/** An option that takes a text. */
export const text = (name: string, value: string, description: string): Options.Options<string> =>
  Options.text(name).pipe(Options.withPseudoName(value), Options.withDescription(description))

/** How formal translations sound, of texts and of documents. */
export const formality = Options.choice("formality", [
  "default",
  "more",
  "less",
  "prefer_more",
  "prefer_less"
]).pipe(Options.withDescription("How formal translations sound."), optional)

/** A whole number within bounds. The complaint names the option, unlike that of `Options.integer`. */
export const whole = (
  name: string,
  { max = Number.MAX_SAFE_INTEGER, min = 0 }: { readonly min?: number; readonly max?: number } = {}
): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("number"),
    Options.mapEffect((text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return Effect.succeed(value)
      const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
      return Effect.fail(
        ValidationError.invalidValue(HelpDoc.p(`--${name} must be a whole number ${bounds}.`))
      )
    })
  )

/** What every command takes. */
const common = {
  json: Options.boolean("json").pipe(
    Options.withDescription("Print one JSON object a line, for programs: events, and a result.")
  ),
  quiet: Options.boolean("quiet").pipe(
    Options.withAlias("q"),
    Options.withDescription("Print results and errors only.")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("Also print what is decided on the way, and why.")
  ),
  config: Options.text("config").pipe(
    Options.withPseudoName("file"),
    Options.withDescription(
      "The file of settings. Without it: effect-translate.config.json or .mjs, here or in a folder above."
    ),
    optional
  ),
  profile: Options.text("profile").pipe(
    Options.withPseudoName("name"),
    Options.withDescription("The profile of the file of settings: which service, and whose key."),
    optional
  )
}

/** The names of the options that every command takes. */
export const commonNames: ReadonlyArray<string> = Object.keys(common)

/** What handlers may use. */
export type Services =
  | Output.Output
  | Settings.Settings
  | Interrupts
  | FileSystem.FileSystem
  | Path.Path
  | Terminal.Terminal

type Config = Command.Command.Config

/** What a handler gets. */
export type Input<C extends Config> = Command.Command.ParseConfig<C & typeof common>

/** The module of a handler. */
export interface Handler<C extends Config> {
  readonly handle: (input: Input<C>) => Effect.Effect<unknown, Described, Services>
}

/** The words that call the command, for telemetry: a command line may hold passwords. */
export class Called extends Context.Reference<Called>()("effect-translate/cli/Called", {
  defaultValue: () => ""
}) {}

/** Sends spans and metrics to a collector, if the environment names one. */
const traced = <A, E, R>(handled: Effect.Effect<A, E, R>) =>
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? Effect.gen(function* () {
        const { exported } = yield* Effect.promise(() => import("./telemetry.js"))
        return yield* exported(yield* Called)(handled)
      })
    : handled

/**
 * A command. Its handler's module is loaded when it is called, so that help needs none of the library. What follows "Example: " in the
 * description is a command line that help shows as such.
 */
export const make = <const Name extends string, const C extends Config>(
  name: Name,
  description: string,
  config: C,
  load: () => Promise<Handler<NoInfer<C>>>
) =>
  Command.make(name, { ...config, ...common }, (input) => {
    const given = input as Input<C> & Command.Command.ParseConfig<typeof common>
    return Effect.flatMap(Effect.promise(load), ({ handle }) => handle(given)).pipe(
      Effect.asVoid,
      traced,
      Effect.provide(
        Layer.provideMerge(
          Settings.layer(
            given,
            Object.values(given as object)
              .flat()
              .includes("-")
          ),
          Layer.succeed(Output.Output, Output.make(given))
        )
      )
    )
  }).pipe(Command.withDescription(description))
