import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as ServiceKind from "../../api/ServiceKind.js"
import { targetProblems } from "../../client/RequestChecks.js"
import type { Actions } from "../command.js"
import { type Parameter, valuesOf } from "../commandLine/declare.js"
import type { init } from "../declarations/setup.js"
import { usage } from "../failure.js"
import { unwritable } from "../namedFiles.js"
import { Output } from "../output.js"
import { ConfigFile, schemaOf } from "../settings/configFile.js"
import type { InputOf } from "../settings/declarations.js"
import { service } from "../settings/serviceDeclarations.js"
import * as prompt from "../terminal/prompt.js"

type Input = InputOf<typeof init>

const file = "effect-translate.config.json"

const emulator = "http://127.0.0.1:8080"

/** The answers of a person; empty ones are left out. */
type Answers = Pick<Input, "url" | "kind" | "keyFile" | "keyVariable" | "from" | "to" | "out"> & {
  readonly files: ReadonlyArray<string>
}

const parts = (list: string) => valuesOf(list).filter((part) => part !== "")

/** Checks an answer by a row of the settings. */
const checked = (row: Parameter) => (answer: string) =>
  Schema.decodeUnknownEither(schemaOf(row))(answer).pipe(
    Either.mapBoth({
      onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error)[0]!.message,
      onRight: () => answer
    })
  )

/** Asks for the answers that the options lack. */
const asked = (given: Answers) =>
  Effect.gen(function* () {
    const url =
      given.url ??
      (yield* prompt.text(
        `Address of the service (empty: ${emulator}, which is "effect-translate emulator")`,
        (answer) => checked(service.url)(answer === "" ? emulator : answer)
      ))
    const where =
      given.keyFile !== undefined || given.keyVariable !== undefined
        ? undefined
        : yield* prompt.select("Where is the key?", [
            ["In the variable LANGUAGE_SERVICE_KEY", undefined],
            ["In another variable", "variable"],
            ["In a file", "file"]
          ])
    const keyFile =
      given.keyFile ?? (where === "file" ? yield* prompt.text("Which file holds it?") : undefined)
    const keyVariable =
      given.keyVariable ??
      (where === "variable"
        ? yield* prompt.text("Which variable holds it?", checked(service.keyVariable))
        : undefined)
    const files =
      given.files.length > 0
        ? given.files
        : parts(yield* prompt.text("Which files? Patterns, such as locales/en.json"))
    const from = given.from ?? (yield* prompt.text("From which language? Empty: the service finds out"))
    const to = given.to ?? (yield* prompt.text("To which languages? Such as de,fr"))
    const out = given.out ?? (yield* prompt.text("Where do translations go? Such as locales/{lang}.json"))
    return { url, kind: given.kind, keyFile, keyVariable, files, from, to, out } satisfies Answers
  })

/** The kind that is named, or else the kind of the address. */
const kindOf = ({ kind, url }: Answers) => kind ?? ServiceKind.at(url?.trim() ?? "")

const settingsOf = (answers: Answers, schema: string | undefined) => {
  const { files, from, keyFile, keyVariable, out, to, url } = answers
  const said = Record.filter((value: unknown) => value !== undefined && value !== "" && String(value) !== "")
  const trimmed = (value: string | undefined) => value?.trim()
  const sourceLang = trimmed(from) || undefined
  const translate = said({
    files,
    targets: parts(to ?? ""),
    options: sourceLang && { sourceLang },
    out: trimmed(out)
  })
  return {
    ...said({
      $schema: schema,
      url: trimmed(url),
      kind: kindOf(answers),
      keyFile: trimmed(keyFile),
      keyVariable: trimmed(keyVariable)
    }),
    ...(Object.keys(translate).length > 0 ? { translate } : {})
  }
}

/** The schema for editors, where the package is installed here or above. */
const schemaFrom = (
  folder: string
): Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const files = yield* FileSystem.FileSystem
    const found = path.join(folder, "node_modules/effect-translate/config.schema.json")
    if (yield* Effect.orElseSucceed(files.exists(found), () => false)) {
      const relative = path.relative(process.cwd(), found)
      return relative.startsWith(".") ? relative : `./${relative}`
    }
    const above = path.dirname(folder)
    return above === folder ? undefined : yield* schemaFrom(above)
  })

export const actions: Actions<typeof init> = (given) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    for (const name of [file, "effect-translate.config.mjs"]) {
      if (yield* Effect.orElseSucceed(files.exists(name), () => false)) {
        return yield* usage(`${name} is already here: edit it, or remove it first.`)
      }
    }
    const hasTerminal = prompt.hasTerminal()
    if (!hasTerminal && given.url === undefined) {
      return yield* usage(
        "There is no terminal to ask at: give --url and the other options (--to, --files, ...)."
      )
    }
    const answers = hasTerminal ? yield* asked(given) : given
    const settings = settingsOf(answers, yield* schemaFrom(path.resolve(".")))
    yield* Effect.mapError(Schema.decodeUnknown(ConfigFile)(settings), (error) => {
      const { message, path } = ParseResult.ArrayFormatter.formatErrorSync(error)[0]!
      return usage(`${path.join(".")} ${message}.`)
    })
    const { relaxed }: ServiceKind.ServiceKind = ServiceKind.kinds[kindOf(answers) ?? "specification"]
    const odd = relaxed.includes("languages")
      ? []
      : parts(answers.to ?? "").flatMap((code) => targetProblems("--to", LanguageCode.canonical(code)))
    if (odd[0] !== undefined) return yield* usage(`${odd[0].field} ${odd[0].rule}.`)
    // It fails if the file was made meanwhile.
    yield* Effect.mapError(
      files.writeFileString(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: "wx" }),
      unwritable(file)
    )
    yield* Output.result({ file, settings }, `${file} is written.`)
    yield* Output.note('"effect-translate doctor" says whether it works.')
  })
