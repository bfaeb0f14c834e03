/**
 * Installs the package as README says, in an empty folder, and runs a program there. The packed tarball stands in place
 * of the package's name. It needs npm's registry.
 *
 *     npm run check:install
 */
import { execFileSync, execSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Translates two texts over HTTP, with the emulator in the same process. */
const program = `
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Auth, ConcurrencyLimit, Outcome, TranslateClient, TranslateStream, Translator } from "effect-translate"
import { Emulator } from "effect-translate/emulator"

const services = Translator.layer.pipe(
  Layer.provide(TranslateClient.layer),
  Layer.provide([Emulator.layerRegion, Auth.layer({ key: Redacted.make(Emulator.defaultKey) }), ConcurrencyLimit.layerAdaptive()]),
  Layer.provide(NodeHttpClient.layerUndici),
  Layer.provide(Emulator.layerNode())
)

Stream.make("Good morning", "Good night").pipe(
  TranslateStream.translate({ targetLang: "de" }),
  Stream.run(Outcome.tally),
  Effect.provide(services),
  Effect.runPromise
).then(({ translated, characters }) => console.log(translated, characters))
`

/** Writes a row into a libsql file, and loads the client of PostgreSQL. */
const sqlProgram = `
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { LibsqlClient, PgClient } from "effect-translate/sql"

Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql\`CREATE TABLE texts (text TEXT)\`.pipe(
    Effect.zipRight(sql\`INSERT INTO texts VALUES ('Guten Morgen')\`),
    Effect.zipRight(sql\`SELECT text FROM texts\`)
  )
).pipe(Effect.provide(LibsqlClient.layer({ filename: "texts.db" })), Effect.runPromise).then((rows) =>
  console.log(rows[0].text, typeof PgClient.layer)
)
`

/** Makes the tables of durable jobs in a libsql file, and lists the jobs. */
const jobsProgram = `
import { Effect, Layer } from "effect"
import { LibsqlClient } from "effect-translate/sql"
import { Cluster, JobControl, Worker } from "effect-translate/workflow"

Effect.flatMap(JobControl.JobControl, ({ list }) => list).pipe(
  Effect.provide(Layer.provide(JobControl.layer, LibsqlClient.layer({ filename: "jobs.db" }))),
  Effect.runPromise
).then((jobs) => console.log(jobs.length, typeof Worker.layer, typeof Cluster.layerPg))
`

/** Installs the engine of durable jobs. */
const jobsLine = /^npm install effect-translate .*$/m.exec(
  readFileSync(`${root}/docs/durable-jobs.md`, "utf8")
)?.[0]

/** Installs the drivers of `effect-translate/sql`. */
const sqlLine = /npm install @effect\/sql@[^`\n]*/.exec(
  readFileSync(`${root}/docs/internals/architecture.md`, "utf8")
)?.[0]

const line = readFileSync(`${root}/README.md`, "utf8")
  .split("\n")
  .find((line) => /^npm install effect-translate\b/.test(line))

/** npm tells its scripts where they are; a user has no such variables. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name))
)

const folder = mkdtempSync(`${tmpdir()}/install-`)

const check = (): string | undefined => {
  if (line === undefined) return "README has no line that begins with: npm install effect-translate"
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8"
  })
  const tarball = `./${packed.trim().split("\n").at(-1)}`
  const options = { cwd: folder, env, encoding: "utf8" } as const
  // Without it, npm would install into a folder above that has one.
  writeFileSync(`${folder}/package.json`, "{}")
  console.log(line)
  console.log(execSync(line.replace("effect-translate", tarball), options))
  writeFileSync(`${folder}/program.mjs`, program)
  const printed = execFileSync(process.execPath, ["program.mjs"], options)
  if (printed !== "2 22\n") return `The program printed ${printed}`
  for (const [name, expected] of [
    ["effect-translate", "translate"],
    ["effect-translate-emulator", "--port"]
  ] as const) {
    const help = execFileSync(`${folder}/node_modules/.bin/${name}`, ["--help"], options)
    if (!help.includes(expected)) return `The help of ${name} is ${help}`
  }
  if (sqlLine === undefined)
    return "architecture.md does not say how to install the drivers of effect-translate/sql"
  console.log(sqlLine)
  console.log(execSync(sqlLine, options))
  writeFileSync(`${folder}/sql.mjs`, sqlProgram)
  const stored = execFileSync(process.execPath, ["sql.mjs"], options)
  if (stored !== "Guten Morgen function\n") return `The program with a database printed ${stored}`
  if (jobsLine === undefined) return "durable-jobs.md does not say how to install the engine of durable jobs"
  console.log(jobsLine)
  console.log(execSync(jobsLine.replace("effect-translate", tarball), options))
  writeFileSync(`${folder}/jobs.mjs`, jobsProgram)
  const listed = execFileSync(process.execPath, ["jobs.mjs"], options)
  return listed === "0 function function\n" ? undefined : `The program with durable jobs printed ${listed}`
}

const attempt = (): string | undefined => {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

const problem = attempt()
rmSync(folder, { recursive: true, force: true })
console.log(problem ?? "The package installs as README says.")
process.exitCode = problem === undefined ? 0 : 1
