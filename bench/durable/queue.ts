/**
 * The queue that one would write by hand in place of durable jobs: rows of a table that any number of processes lease, `deepl-node`, eight
 * requests at once. What a process has leased that has died is leased again a minute later.
 *
 * It tells its parent where each of its parts ends, and goes on when that has answered.
 */
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { type TargetLanguageCode, Translator } from "deepl-node"
import Papa from "papaparse"
import pg from "pg"

const [database = "", target = "", ...files] = process.argv.slice(2)
const translator = new Translator(process.env.LANGUAGE_SERVICE_KEY!, {
  serverUrl: process.env.LANGUAGE_SERVICE_URL!
})
const concurrency = 8
const pool = new pg.Pool({ connectionString: database, max: concurrency })

const ended = async (part: "start" | "import" | "translation" | "output") => {
  const answered = once(process, "message")
  process.send!(part)
  await answered
}

interface Row {
  id: string
  text: string
}

const createTables = () =>
  pool.query(`
    CREATE TABLE texts (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      file text NOT NULL,
      id text NOT NULL,
      text text NOT NULL,
      leased_until timestamptz NOT NULL DEFAULT '-infinity',
      is_done boolean NOT NULL DEFAULT false
    );
    CREATE INDEX texts_to_do ON texts (number) WHERE NOT is_done;
    CREATE TABLE translations (number bigint PRIMARY KEY, translation text NOT NULL)`)

const insert = (file: string, rows: ReadonlyArray<Row>) =>
  pool.query({
    name: "insert",
    text: "INSERT INTO texts (file, id, text) SELECT $1, * FROM unnest($2::text[], $3::text[])",
    values: [file, rows.map(({ id }) => id), rows.map(({ text }) => text)]
  })

const read = async (file: string) => {
  let rows: Array<Row> = []
  const input = createReadStream(file).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true }))
  for await (const row of input as AsyncIterable<Row>) {
    rows.push(row)
    if (rows.length === 1000) {
      await insert(file, rows)
      rows = []
    }
  }
  if (rows.length > 0) await insert(file, rows)
}

interface Leased {
  readonly number: string
  readonly text: string
}

const lease = async (): Promise<ReadonlyArray<Leased>> => {
  const { rows } = await pool.query<Leased>({
    name: "lease",
    text: `UPDATE texts SET leased_until = now() + interval '1 minute'
      WHERE number IN (
        SELECT number FROM texts WHERE NOT is_done AND leased_until < now() ORDER BY number LIMIT 50
        FOR UPDATE SKIP LOCKED
      )
      RETURNING number, text`
  })
  return rows
}

const isDone = async () => {
  const { rows } = await pool.query("SELECT FROM texts WHERE NOT is_done LIMIT 1")
  return rows.length === 0
}

const record = async (batch: ReadonlyArray<Leased>, translations: ReadonlyArray<string>) => {
  const numbers = batch.map(({ number }) => number)
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query({
      name: "translations",
      text: `INSERT INTO translations SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING`,
      values: [numbers, translations]
    })
    await client.query({
      name: "done",
      text: "UPDATE texts SET is_done = true WHERE number = ANY($1::bigint[])",
      values: [numbers]
    })
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

const work = async () => {
  for (;;) {
    const batch = await lease()
    if (batch.length > 0) {
      const texts = batch.map(({ text }) => text)
      const results = await translator.translateText(texts, null, target as TargetLanguageCode)
      await record(
        batch,
        results.map(({ text }) => text)
      )
    } else if (await isDone()) return
    // What others have leased is done soon, or free again.
    else await setTimeout(500)
  }
}

const write = async (file: string) => {
  const output = createWriteStream(file.replace(/(\.[^.]+)$/, `.${target}$1`))
  output.write("id,text\n")
  let last = "0"
  for (;;) {
    const { rows } = await pool.query<Row & { number: string }>({
      name: "page",
      text: `SELECT number, id, translation AS text FROM texts JOIN translations USING (number)
        WHERE file = $1 AND number > $2 ORDER BY number LIMIT 1000`,
      values: [file, last]
    })
    if (rows.length === 0) break
    last = rows.at(-1)!.number
    const lines = Papa.unparse(rows, { columns: ["id", "text"], header: false, newline: "\n" })
    if (!output.write(`${lines}\n`)) await once(output, "drain")
  }
  output.end()
  await once(output, "finish")
}

await createTables()
await ended("start")
for (const file of files) await read(file)
await ended("import")
await Promise.all(Array.from({ length: concurrency }, work))
await ended("translation")
for (const file of files) await write(file)
await ended("output")
await pool.end()
process.disconnect()
