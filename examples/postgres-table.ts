/** How do I translate a table of PostgreSQL? Rows are read in pages and written in groups; the same command does what is left. */

import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Chunk, Config, Console, Effect, Layer, Option, Stream } from "effect"
import { Outcome, TranslateClient } from "effect-translate"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { NodeProgram } from "effect-translate/node"
import { PgClient, PgTranslationStore } from "effect-translate/postgres"

interface Product {
  readonly id: string
  readonly title: string
  readonly body: string | null
  /** Tells an edited row from the one that was translated. */
  readonly version: string
}

const targets = ["de", "fr"] as const
const pageSize = 500
const groupSize = 300

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS product_translations (
    id BIGINT NOT NULL, lang TEXT NOT NULL, title TEXT NOT NULL, body TEXT, version TEXT NOT NULL, PRIMARY KEY (id, lang)
  )`

  /** Those after a key that lack a translation as they are now. */
  const page = (after: string) =>
    sql<Product>`SELECT * FROM (SELECT id, title, body, md5(ROW(title, body)::text) AS version FROM products WHERE id > ${after}) p
      WHERE ${targets.length} > (SELECT count(*) FROM product_translations t
        WHERE t.id = p.id AND t.version = p.version AND ${sql.in("lang", targets)})
      ORDER BY id LIMIT ${pageSize}`

  const products = JobSource.rows({
    name: "products",
    rows: Stream.paginateChunkEffect("0", (after) =>
      Effect.map(page(after), (rows) => {
        const last = rows.length < pageSize ? undefined : rows.at(-1)?.id
        return [Chunk.unsafeFromArray(rows), Option.fromNullable(last)]
      })
    ),
    key: ({ id }) => id,
    fields: ["title", "body"],
    write: (lang) => (outcomes) =>
      outcomes.pipe(
        Stream.filter((outcome) => !Outcome.isFailed(outcome)), // they are read again next time
        Stream.map(({ value }) => ({ ...value, lang })),
        Stream.rechunk(groupSize),
        Stream.runForEachChunk(
          (rows) =>
            sql`INSERT INTO product_translations ${sql.insert(Chunk.toReadonlyArray(rows))}
            ON CONFLICT (id, lang) DO UPDATE SET title = excluded.title, body = excluded.body, version = excluded.version`
        )
      )
  })

  const report = yield* TranslationJob.run({
    sources: [products],
    options: { sourceLang: "en" },
    targets,
    onFailed: ({ key, message }) => Console.log(`${key}: ${message}`),
    onEnd: ({ end }) => Console.log(end.next)
  })
  for (const { cached, in: texts, targetLang, translated } of report.targets) {
    yield* Console.log(`${targetLang}: ${texts} texts, ${translated} translated, ${cached} paid for before`)
  }
  if (report.end.state !== "complete") process.exitCode = 1
})

const database = Layer.unwrapEffect(
  Effect.map(Config.redacted("DATABASE_URL"), (url) => PgClient.layer({ url }))
)
program.pipe(
  Effect.provide([
    Layer.provide(TranslateClient.layerConfig(), NodeHttpClient.layerUndici),
    Layer.provideMerge(PgTranslationStore.layerClient(), Layer.merge(database, NodeContext.layer))
  ]),
  NodeProgram.runMain // broken off, it does not end with 0
)
