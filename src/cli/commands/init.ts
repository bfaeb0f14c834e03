import * as Options from "@effect/cli/Options"
import { flow } from "effect/Function"
import * as Command from "../command.js"

const text = flow(Command.text, Command.optional)

const config = {
  url: text("url", "address", "The base address of the service."),
  keyFile: text("key-file", "file", "The file that holds the key."),
  keyVariable: text(
    "key-variable",
    "name",
    "The variable of the environment that holds the key. Without both: LANGUAGE_SERVICE_KEY."
  ),
  files: Command.text("files", "pattern", "Files to translate.").pipe(Options.repeated),
  from: text("from", "language", "The language of the files."),
  to: text("to", "languages", "The languages to translate to, such as de,fr."),
  out: text("out", "pattern", "Where translations go, such as locales/{lang}.json.")
}

export type Input = Command.Input<typeof config>

export const init = Command.make(
  "init",
  "Asks for the settings and writes them to effect-translate.config.json. Without a terminal, options answer. Example: effect-translate init --url http://127.0.0.1:8080 --to de,fr",
  config,
  () => import("../handlers/init.js")
)
