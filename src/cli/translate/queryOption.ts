/** Rows of a query in place of files: `--query`, of a file of DuckDB or SQLite, or of PostgreSQL. */
import { parse } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type * as JobSource from "../../job/JobSource.js"
import * as SqlErrorCode from "../../sql/SqlErrorCode.js"
import type * as TableSource from "../../table/TableSource.js"
import { isPostgres, problemOf as problemOfAddress } from "../databaseAddress.js"
import type { TranslateInput } from "../declarations/texts.js"
import { type Usage, usage } from "../failure.js"
import * as errorText from "./errorText.js"
import type { Inputs } from "./sourceFiles.js"
import type { Plan } from "./translateOptions.js"

/** The name of a query in place of a file's. */
const name = "the query"

const ofFiles = {
  out: "--out",
  format: "--format",
  fields: "--field",
  removed: "--removed",
  failed: "--failed",
  mark: "--mark",
  onBadLine: "--on-bad-line",
  encoding: "--encoding",
  plurals: "--plurals",
  maxFileBytes: "--max-file-bytes",
  watch: "--watch",
  failOn: "--fail-on"
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** The problem of the flags; none if they are right. */
const problemOf = (input: TranslateInput): string | undefined => {
  const { attach, database, files, keys, output, query } = input
  if (query === undefined) {
    return database !== undefined || attach.length > 0 || output !== undefined
      ? "--database, --attach and --output are for --query: give the query, or leave them out."
      : undefined
  }
  const wrong = Object.entries(ofFiles).find(([option]) => isGiven(input[option as keyof typeof ofFiles]))
  if (files.length > 0) return "Name files, or rows with --query: one of both."
  if (wrong !== undefined) return `${wrong[1]} is for files: leave it out with --query.`
  if (database === undefined) {
    return "Where are the rows, and where do translations go? Name them with --database: a file such as translations.duckdb, or postgres://host/database."
  }
  const problem = problemOfAddress(
    "--database",
    database,
    "a file of DuckDB or SQLite, or postgres://host/database"
  )
  if (problem !== undefined) return problem
  if (isPostgres(database) && attach.length > 0) {
    return "--attach is for files of DuckDB and SQLite: leave it out with PostgreSQL."
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
  if (problem !== undefined) return usage(problem)
  return Effect.succeed(input.query === undefined ? input : { ...input, files: [name] })
}

/** The name of a database for people: an address may hold a password. */
const nameOf = (database: string): string => {
  if (!isPostgres(database)) return database
  const { host, pathname } = new URL(database)
  return `${host}${pathname}`
}

/** The query in place of files. Its outputs are in the database. */
export const inputsOf = ({ database = "" }: Plan): Effect.Effect<Inputs> =>
  Effect.succeed({
    sources: [{ path: name, folder: "" }],
    outputOf: () => () => nameOf(database),
    leftOut: []
  })

/** The beginning of a file; nothing if it does not exist. */
const headOf = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Stream.runCollect(fs.stream(file, { bytesToRead: 16 })).pipe(
      Effect.map((chunks) => Buffer.concat(Chunk.toReadonlyArray(chunks)).toString("latin1")),
      Effect.orElseSucceed(() => "")
    )
  )

const kindOf = (file: string, head: string): "duckdb" | "sqlite" | undefined => {
  if (head.startsWith("SQLite format 3\0") || (head === "" && /\.(sqlite3?|db3)$/i.test(file)))
    return "sqlite"
  return head.startsWith("DUCK", 8) || (head === "" && /\.(duckdb|ddb)$/i.test(file)) ? "duckdb" : undefined
}

// Loaded only for commands that need them.
const tableSource = Effect.promise(() => import("../../table/TableSource.js"))
const duckDb = Effect.promise(() => import("../../sql/DuckDbClient.js"))
const libsql = Effect.promise(() => import("../../sql/LibsqlClient.js"))
const postgres = Effect.promise(() => import("../../sql/PgClient.js"))

/** Files by the names that stand in front of their tables. */
const attached = (files: ReadonlyArray<string>) =>
  Object.fromEntries(files.map((file) => [parse(file).name, file]))

/** The layer of a file. A dry run makes none, and lets others read along. */
const layerOfFile = ({ attach: files, database: file = "", dryRun }: Plan) =>
  Effect.gen(function* () {
    const head = yield* headOf(file)
    const isThere = head !== ""
    const attach = attached(files)
    const filename = dryRun && !isThere ? ":memory:" : file
    switch (kindOf(file, head)) {
      case "duckdb":
        return (yield* duckDb).layer({ filename, attach, readonly: dryRun && isThere })
      case "sqlite":
        return (yield* libsql).layer({ filename, attach, keepSettings: true })
      default:
        return yield* usage(
          isThere
            ? `--database ${file} is no file of DuckDB, and none of SQLite.`
            : `--database ${file} is not there yet: let its name end in .duckdb or .sqlite, which is the kind to make.`
        )
    }
  })

const layerOfPostgres = (url: string) =>
  Effect.map(postgres, ({ layerConnected }) => layerConnected({ url: Redacted.make(url) }))

/** A database that can't be opened, in words. */
const unopened =
  ({ attach, database = "" }: Plan) =>
  (error: Parameters<typeof SqlErrorCode.get>[0]) => {
    const code = SqlErrorCode.orDisconnected(error)
    const reason = Predicate.hasProperty(error.cause, "message") ? String(error.cause.message) : code
    const message = `${[nameOf(database), ...attach].join(", ")} can't be opened: ${reason}.`
    return new errorText.CommandError(
      code === "DUCKDB_LOCKED" ? "DatabaseLocked" : "TableUnusable",
      message,
      code
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
export const make = (plan: Plan) =>
  Effect.gen(function* () {
    const { columns, database = "", existing, keys, output = "", query = "" } = plan
    const [key, ...otherKeys] = keys
    const [column, ...otherColumns] = columns
    if (key === undefined || column === undefined) {
      return yield* usage("Which columns are translated? Name them with --column.")
    }
    const layer = yield* isPostgres(database) ? layerOfPostgres(database) : layerOfFile(plan)
    const context = yield* Effect.mapError(Layer.build(layer), unopened(plan))
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
