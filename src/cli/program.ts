/** The command line: all commands, where their actions are, and how one is run. */
import * as Effect from "effect/Effect"
import { version } from "../internal/version.js"
import { type Actions, run as runAction } from "./command.js"
import * as commandTree from "./commandLine/commandTree.js"
import { type Command, group } from "./commandLine/declare.js"
import * as help from "./commandLine/help.js"
import * as commandLine from "./commandLine/parse.js"
import { analytics, glossary, keys, style, translationMemory, usage } from "./declarations/account.js"
import { job, worker } from "./declarations/jobs.js"
import { accept, check } from "./declarations/outputs.js"
import { doctor, emulator, init } from "./declarations/setup.js"
import { document, languages, memory, translate, write } from "./declarations/texts.js"
import { Usage } from "./failure.js"
import { hasColours } from "./output.js"
import { common, commonNames, type InputOf } from "./settings/declarations.js"

const commands = {
  accept,
  analytics,
  check,
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
  "translation-memory": translationMemory,
  usage,
  worker,
  write
}

type Modules<C> = { readonly [Noun in keyof C]: () => Promise<{ readonly actions: Actions<C[Noun]> }> }

/** The modules of commands, each loaded when one is called, so that help needs none of the library. */
const modules: Modules<typeof commands> = {
  accept: () => import("./commands/accept.js"),
  analytics: () => import("./commands/analytics.js"),
  check: () => import("./commands/check.js"),
  document: () => import("./commands/document.js"),
  doctor: () => import("./commands/doctor.js"),
  emulator: () => import("./commands/emulator.js"),
  glossary: () => import("./commands/glossary.js"),
  init: () => import("./commands/init.js"),
  job: () => import("./commands/job.js"),
  keys: () => import("./commands/keys.js"),
  languages: () => import("./commands/languages.js"),
  memory: () => import("./commands/memory.js"),
  style: () => import("./commands/style.js"),
  translate: () => import("./commands/translate.js"),
  "translation-memory": () => import("./commands/translationMemory.js"),
  usage: () => import("./commands/usage.js"),
  worker: () => import("./commands/worker.js"),
  write: () => import("./commands/write.js")
}

/** All commands. */
export const tree = commandTree.make(
  "effect-translate",
  group("Translates files, documents and catalogues through the Language Service.", commands),
  common
)

const bold = (text: string) => (hasColours(process.stdout) ? `\u001b[1m${text}\u001b[22m` : text)

const print = (text: string) =>
  Effect.sync(() => {
    process.stdout.write(`${text}\n`)
  })

type Action = Actions<Command>

/** The action of a command, by the words that call it. */
const actionOf = (noun: string, name: string | undefined) =>
  Effect.promise<{ readonly actions: unknown }>(modules[noun as keyof typeof modules]).pipe(
    Effect.map(({ actions }) =>
      name === undefined ? (actions as Action) : (actions as { readonly [name: string]: Action })[name]!
    )
  )

/** Runs the command that the words after the program's name ask for. */
export const run = (words: ReadonlyArray<string>) => {
  const request = commandLine.read(tree, words)
  switch (request._tag) {
    case "Wrong":
      return new Usage(request)
    case "Version":
      return print(version)
    case "Completions":
      return Effect.flatMap(
        Effect.promise(() => import("./commandLine/completions.js")),
        ({ script }) => Effect.flatMap(script(tree, request.shell), print)
      )
    case "Help":
      return request.isAsked
        ? print(help.of(request.node, commonNames, bold))
        : new Usage({ message: help.of(request.node, commonNames, String) })
    case "Run": {
      const [noun = "", name] = request.node.path.slice(1)
      // The parser has read it by the table of the command.
      const input = request.input as InputOf<Command>
      return runAction(
        request.node.path.slice(1).join(" "),
        input,
        Effect.flatMap(actionOf(noun, name), (action) => action(input))
      )
    }
  }
}
