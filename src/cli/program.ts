/** The command line: all commands, and how one is run. */
import * as Command from "@effect/cli/Command"
import type * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { version } from "../internal/version.js"
import { Called, commonNames } from "./command.js"
import { analytics } from "./commands/analytics.js"
import { doctor } from "./commands/doctor.js"
import { document } from "./commands/document.js"
import { emulator } from "./commands/emulator.js"
import { glossary } from "./commands/glossary.js"
import { init } from "./commands/init.js"
import { job } from "./commands/job.js"
import { keys } from "./commands/keys.js"
import { languages } from "./commands/languages.js"
import { memory } from "./commands/memory.js"
import { style } from "./commands/style.js"
import { translate } from "./commands/translate.js"
import { usage } from "./commands/usage.js"
import { worker } from "./commands/worker.js"
import { write } from "./commands/write.js"
import { Usage } from "./failure.js"
import { hasColours } from "./output.js"
import * as commandLine from "./parsing/commandLine.js"
import * as commandTree from "./parsing/commandTree.js"
import * as help from "./parsing/help.js"

/** The command that all others are below. */
export const root = Command.make("effect-translate").pipe(
  Command.withDescription("Translates files, documents and catalogues through the Language Service."),
  Command.withSubcommands([
    analytics,
    document,
    doctor,
    emulator,
    glossary,
    init,
    job,
    keys,
    languages,
    memory,
    style,
    translate,
    usage,
    worker,
    write
  ])
)

const bold = (text: string) => (hasColours(process.stdout) ? `\u001b[1m${text}\u001b[22m` : text)

const print = (text: string) =>
  Effect.sync(() => {
    process.stdout.write(`${text}\n`)
  })

const parse = Command.run(root, { name: "effect-translate", version })

/** Runs the command that a command line names. */
export const run = ([node = "", script = "", ...words]: ReadonlyArray<string>): ReturnType<typeof parse> => {
  const tree = commandTree.of(root)
  const request = commandLine.read(tree, words)
  switch (request._tag) {
    case "Wrong":
      return new Usage(request)
    case "Version":
      return print(version)
    case "Completions":
      return Effect.flatMap(
        Effect.promise(() => import("./parsing/completions.js")),
        ({ script }) => Effect.flatMap(script(tree, request.shell), print)
      )
    case "Help":
      return request.isAsked
        ? print(help.of(request.node, commonNames, bold))
        : new Usage({ message: help.of(request.node, commonNames, String) })
    case "Run":
      // What the parser prints of a value that it refuses is printed as the failure that it is.
      return Effect.consoleWith((console: Console.Console) =>
        Effect.withConsole(parse([node, script, ...request.args]), { ...console, error: () => Effect.void })
      ).pipe(Effect.provideService(Called, request.node.path.slice(1).join(" ")))
  }
}
