/** Finds and reads the file of settings. Its problems are told with line and key, never with a value. */
import { pathToFileURL } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as jsonc from "jsonc-parser"
import { isMissing } from "../../internal/files.js"
import { didYouMean } from "../commandLine/suggestion.js"
import { type Usage, usage } from "../failure.js"
import { ConfigFile } from "./configFile.js"
import * as declarations from "./declarations.js"
import { service } from "./serviceDeclarations.js"

const names = ["effect-translate.config.json", "effect-translate.config.mjs"] as const

/** The file of settings in a folder, or in the nearest folder above that has one. */
export const find = (
  folder: string
): Effect.Effect<string | undefined, Usage, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const found = yield* Effect.filter(
      names.map((name) => path.join(folder, name)),
      (file) => Effect.orElseSucceed(files.exists(file), () => false)
    )
    if (found.length > 1) {
      return yield* usage(
        `${folder} holds both ${names.join(" and ")}: keep one of them, or name one with --config.`
      )
    }
    const above = path.dirname(folder)
    return found[0] ?? (above === folder ? undefined : yield* find(above))
  })

const described: Readonly<Record<string, string>> = {
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a name in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "nothing may follow the object",
  InvalidCommentToken: "this is no comment",
  UnexpectedEndOfComment: "the comment does not end",
  UnexpectedEndOfString: "the text does not end on its line",
  UnexpectedEndOfNumber: "the number does not end",
  InvalidUnicode: "this is no Unicode escape",
  InvalidEscapeCharacter: "this is no escape of JSON",
  InvalidCharacter: "this character must be escaped"
}

const positionOf = (source: string, offset: number): string => {
  const lines = source.slice(0, offset).split(/\r\n|\r|\n/)
  return `${lines.length}:${lines.at(-1)!.length + 1}`
}

/** The value of a file, and where its keys are. */
interface Read {
  readonly value: unknown
  /** `file:line:column` of a key. */
  readonly place: (path: ReadonlyArray<PropertyKey>) => string
  readonly offset: (path: ReadonlyArray<PropertyKey>) => number
}

const ofJson = (file: string, source: string): Effect.Effect<Read, Usage> => {
  const errors: Array<jsonc.ParseError> = []
  const tree = jsonc.parseTree(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    return usage(
      `${file}:${positionOf(source, error.offset)}: ${described[jsonc.printParseErrorCode(error.error)] ?? "this is no JSON"}.`
    )
  }
  const offset = (path: ReadonlyArray<PropertyKey>) => {
    const node = tree && jsonc.findNodeAtLocation(tree, path as jsonc.JSONPath)
    return (node?.parent?.type === "property" ? node.parent : node)?.offset ?? 0
  }
  return Effect.succeed({
    value: tree && jsonc.getNodeValue(tree),
    place: (path) => `${file}:${positionOf(source, offset(path))}`,
    offset
  })
}

const ofModule = (file: string, path: string): Effect.Effect<Read, Usage> =>
  Effect.tryPromise({
    try: () => import(pathToFileURL(path).href),
    catch: (error) => {
      const { message } = Predicate.isError(error) ? error : { message: String(error) }
      return usage(`${file} can't be run: ${message.split("\n")[0]}`)
    }
  }).pipe(
    Effect.map((module) => ({ value: module.default as unknown, place: () => file, offset: () => 0 })),
    Effect.filterOrFail(
      ({ value }) => value !== undefined,
      () => usage(`${file} has no default export: "export default { ... }" holds the settings.`)
    )
  )

const isKey = (name: string) => /^(api|auth|admin|service)?[-_]?key$|token|secret|password/i.test(name)

/** The names that may stand beside one that may not. */
const namesBeside = ([first, ...others]: ReadonlyArray<PropertyKey>) =>
  Object.keys(
    first === "profiles"
      ? service
      : others.length > 0 && first === "translate"
        ? { ...declarations.translate, options: undefined }
        : others.length > 0 && first === "worker"
          ? declarations.worker
          : ConfigFile.fields
  )

/** Advice for an unknown name: the setting that exists instead. */
const adviceOf = (name: string, names: ReadonlyArray<string>): string =>
  /^(exclu|ignore)/i.test(name) && names.includes("files")
    ? ' To leave files out, write such as "!docs/old/**" into "files".'
    : didYouMean(name, names) || ` There are ${names.join(", ")}.`

const wrong = ({ _tag, message, path }: ParseResult.ArrayFormatterIssue): string => {
  const name = String(path.at(-1) ?? "")
  const key = path.map(String).join(".")
  if (_tag !== "Unexpected") return `${path.length === 0 ? "the settings" : `"${key}"`} ${message}.`
  return isKey(name)
    ? `"${key}": keys are never in this file. Write it to a file that only you can read and name that with "keyFile", or set LANGUAGE_SERVICE_KEY.`
    : `"${key}" is no setting.${adviceOf(name, namesBeside(path))}`
}

const decode = Schema.decodeUnknown(ConfigFile, { errors: "all", onExcessProperty: "error" })

/** The settings of a file. In errors it is called by its name for people. */
export const read = (path: string, name: string): Effect.Effect<ConfigFile, Usage, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const isModule = path.endsWith(".mjs")
    if (!isModule && !path.endsWith(".json")) {
      return yield* usage(`${name}: the file of settings must end in .json or .mjs.`)
    }
    const source = yield* Effect.mapError(files.readFileString(path), (error) =>
      usage(
        isMissing(error)
          ? `The file of settings ${name} does not exist.`
          : `The file of settings ${name} can't be read.`
      )
    )
    const { offset, place, value } = yield* isModule
      ? ofModule(name, path)
      : ofJson(name, source.replace(/^\uFEFF/, ""))
    return yield* Effect.mapError(decode(value), (error) => {
      const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
      // Of an optional setting that is wrong, there is one more issue: that it is not undefined.
      const first = issues.toSorted(
        (one, other) => other.path.length - one.path.length || offset(one.path) - offset(other.path)
      )[0]!
      return usage(`${place(first.path)}: ${wrong(first)}`)
    })
  })
