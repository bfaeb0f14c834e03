/** Rows of a query in place of files: `--query`, and the options that go with it. */
import { parse } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type * as JobSource from "../../job/JobSource.js"
import * as SqlErrorCode from "../../sql/SqlErrorCode.js"
import type * as Translator from "../../stream/Translator.js"
import type * as TableSource from "../../workflow/TableSource.js"
import type { TranslateInput } from "../commands/declarations/texts.js"
import { Usage } from "../failure.js"
import * as errorText from "./errorText.js"
import type { Inputs } from "./sourceFiles.js"
import type { Plan } from "./translateOptions.js"

/** What a query is called where files have their names. */
const name = "the query"

const ofFiles = {
  out: "--out",
  format: "--format",
  fields: "--field",
  removed: "--removed",
  failed: "--failed",
  watch: "--watch"
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** What is wrong with the flags, if anything is. */
const problemOf = (input: TranslateInput): string | undefined => {
  const { attach, database, files, keys, output, query } = input
  if (query === undefined) {
    return database !== undefined || attach.length > 0 || keys.length > 0 || output !== undefined
      ? "--database, --attach, --key and --output are for --query: give the query, or leave them out."
      : undefined
  }
  const wrong = Object.entries(ofFiles).find(([option]) => isGiven(input[option as keyof typeof ofFiles]))
  if (files.length > 0) return "Name files, or rows with --query: one of both."
  if (wrong !== undefined) return `${wrong[1]} is for files: leave it out with --query.`
  if (database === undefined) {
    return "Where are the rows, and where do translations go? Name a file with --database, such as translations.duckdb."
  }
  if (keys.length === 0) return "Which column tells the rows apart? Name it with --key."
  if (output === undefined) return "Where do translations go? Name a table with --output."
  return output.includes("{")
    ? "--output is a table, with a row for each language: name it without braces."
    : undefined
}

/** The flags, if they fit together: those of a query with a name for it in place of files. */
export const check = (input: TranslateInput): Effect.Effect<TranslateInput, Usage> => {
  const problem = problemOf(input)
  if (problem !== undefined) return new Usage({ message: problem })
  return Effect.succeed(input.query === undefined ? input : { ...input, files: [name] })
}

/** The query in place of files. Its outputs are in the database. */
export const inputsOf = ({ database = "" }: Plan): Effect.Effect<Inputs> =>
  Effect.succeed({ sources: [{ path: name, folder: "" }], outputOf: () => () => database, leftOut: [] })

type Kind = "duckdb" | "sqlite"

/** What a file begins with; nothing if it is not there. */
const headOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Stream.runCollect(fs.stream(file, { bytesToRead: 16 })).pipe(
      Effect.map((chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks)).toString("latin1")),
      Effect.orElseSucceed(() => "")
    )
  )

const kindOf = (file: string, head: string): Kind | undefined => {
  if (head.startsWith("SQLite format 3\0") || (head === "" && /\.(sqlite3?|db3)$/i.test(file)))
    return "sqlite"
  return head.startsWith("DUCK", 8) || (head === "" && /\.(duckdb|ddb)$/i.test(file)) ? "duckdb" : undefined
}

// Loaded only by who needs them.
const tableSource = Effect.promise(() => import("../../workflow/TableSource.js"))
const duckDb = Effect.promise(() => import("../../sql/DuckDbClient.js"))
const libsql = Effect.promise(() => import("../../sql/LibsqlClient.js"))

/** Files by what their tables have in front. */
const attached = (files: ReadonlyArray<string>) =>
  Object.fromEntries(files.map((file) => [parse(file).name, file]))

/** A dry run makes no file, and lets others read along. */
const layerOf = (
  kind: Kind,
  file: string,
  { dryRun, files, isThere }: { dryRun: boolean; files: ReadonlyArray<string>; isThere: boolean }
) => {
  const attach = attached(files)
  const filename = dryRun && !isThere ? ":memory:" : file
  return Layer.catchAll(
    Layer.unwrapEffect(
      kind === "duckdb"
        ? Effect.map(duckDb, ({ layer }) => layer({ filename, attach, readonly: dryRun && isThere }))
        : Effect.map(libsql, ({ layer }) => layer({ filename, attach, keepSettings: true }))
    ),
    (error) => {
      const code = SqlErrorCode.orDisconnected(error)
      const reason = Predicate.hasProperty(error.cause, "message") ? String(error.cause.message) : code
      const message = `${[file, ...files].join(", ")} can't be opened: ${reason}.`
      return Layer.fail(
        code === "DUCKDB_LOCKED" ? new errorText.Told("DatabaseLocked", message) : new Usage({ message })
      )
    }
  )
}

/** The source of a job. */
export type Source = JobSource.JobSource<TableSource.Failure, Translator.Translator>

/** A source with a database that is open. */
const provided = <C>(
  { check, forecast, name, translate }: JobSource.JobSource<TableSource.Failure, C | Translator.Translator>,
  context: Context.Context<C>
): Source => ({
  name,
  check: check && ((targets) => Effect.provide(check(targets), context)),
  forecast: (forecasting) => Effect.provide(forecast(forecasting), context),
  translate: (translations) => Effect.provide(translate(translations), context)
})

/** The rows of a plan; their database is open until the scope closes. */
export const make = ({
  attach,
  columns,
  database: file = "",
  dryRun,
  existing,
  keys,
  output = "",
  query = ""
}: Plan) =>
  Effect.gen(function* () {
    const [key, ...otherKeys] = keys
    const [column, ...otherColumns] = columns
    if (key === undefined || column === undefined) {
      return yield* new Usage({ message: "Which columns are translated? Name them with --column." })
    }
    const head = yield* headOf(file)
    const kind = kindOf(file, head)
    if (kind === undefined) {
      return yield* new Usage({
        message:
          head === ""
            ? `--database ${file} is not there yet: let its name end in .duckdb or .sqlite, which says what to make.`
            : `--database ${file} is no file of DuckDB, and none of SQLite.`
      })
    }
    const context = yield* Layer.build(layerOf(kind, file, { dryRun, files: attach, isThere: head !== "" }))
    const source = (yield* tableSource).make({
      name: "query",
      query: query.replace(/[;\s]+$/, ""),
      key: [key, ...otherKeys],
      columns: [column, ...otherColumns],
      output,
      existing
    })
    return provided(source, context)
  })
