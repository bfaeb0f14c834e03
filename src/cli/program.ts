/** The command line: all commands, and how one is run. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { version } from "../internal/version.js"
import { withDashes } from "./command.js"
import { analytics } from "./commands/analytics.js"
import { emulator } from "./commands/emulator.js"
import { glossary } from "./commands/glossary.js"
import { keys } from "./commands/keys.js"
import { languages } from "./commands/languages.js"
import { memory } from "./commands/memory.js"
import { translate } from "./commands/translate.js"
import { usage } from "./commands/usage.js"
import { write } from "./commands/write.js"
import { hasColours } from "./output.js"

/** The command that all others are below. */
export const root = Command.make("effect-translate").pipe(
  Command.withDescription("Translates files, documents and catalogues through the Language Service."),
  Command.withSubcommands([analytics, emulator, glossary, keys, languages, memory, translate, usage, write])
)

const escapes = /\u001b\[[0-9;]*m/g

/** What the parser prints: help to standard output, complaints to standard error, colours to terminals only. */
const writeTo = (stream: NodeJS.WriteStream) => (text: unknown) =>
  Effect.sync(() => {
    const printed = String(text ?? "").trim()
    stream.write(`${hasColours(stream) ? printed : printed.replace(escapes, "").replace(/ +$/gm, "")}\n`)
  })

/** Runs the command that a command line names. */
export const run = (argv: ReadonlyArray<string>) =>
  Effect.consoleWith((console) =>
    Effect.withConsole(Command.run(root, { name: "effect-translate", version })(withDashes(argv)), {
      ...console,
      log: writeTo(process.stdout),
      error: writeTo(process.stderr)
    })
  ).pipe(Effect.provide(CliConfig.layer({ showBuiltIns: false })))
