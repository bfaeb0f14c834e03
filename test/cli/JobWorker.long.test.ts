/** `job` as processes, while a worker does the jobs. */
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "effect-translate/emulator"
import Database from "libsql"
import { afterRelay, emulator, folderOf, processTimeout, run } from "./process.js"
import { objects, outputs, products, submit, worker } from "./workerProcess.js"

/** Waits for an effect to give what is looked for. */
const until = <A>(of: Effect.Effect<A>, isFound: (value: A) => boolean): Effect.Effect<A> =>
  Effect.repeat(of, { until: isFound })

describe("job, with a worker", () => {
  it.scopedLive(
    "pauses, sends nothing more, goes on, and ends cancelled jobs",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ latency: 300 })
        const folder = yield* folderOf({
          "products.csv": products(3000),
          "mug.csv": "id,title\n1,Mug",
          "jug.csv": "id,title\n1,Jug"
        })
        const at = { folder, env }
        const other = (name: string) =>
          Effect.zipRight(
            run(["job", "submit", `${name}.csv`, "--to", "de", "--column", "title", "--id", name], at),
            run(["job", "watch", name], at)
          )
        yield* run(submit, at)
        yield* worker(["--concurrency", "1"], at)
        yield* until(billed, (characters) => characters > 0)
        expect((yield* run(["job", "pause", "products"], at)).stdout).toMatch(/^products: paused, /)
        // Requests in flight end before another job sends any, and nothing more is sent.
        expect((yield* other("mug")).code).toBe(0)
        const atRest = yield* billed
        expect((yield* other("jug")).code).toBe(0)
        expect(yield* billed).toBe(atRest + "Jug".length)
        expect((yield* run(["job", "resume", "products"], at)).code).toBe(0)
        yield* until(billed, (characters) => characters > atRest)

        const cancelled = yield* run(["job", "cancel", "products", "--wait", "--json"], at)
        expect(objects(cancelled.stdout)).toMatchObject([{ type: "result", state: "cancelled" }])
        const watched = yield* run(["job", "watch", "products"], at)
        expect(watched.code).toBe(130)
        expect(watched.stderr).toContain("The job products was cancelled.")
        expect(() => outputs(folder)).toThrow()

        const purged = yield* run(["job", "purge", "products", "--yes", "--json"], at)
        expect(objects(purged.stdout)).toEqual([{ type: "result", purged: 1 }])
        expect((yield* run(["job", "status", "products"], at)).code).toBe(2)
      }),
    processTimeout
  )

  it.scopedLive(
    "sends parameters of the job, and keeps no rule that the settings of the worker relax",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator({ allowUnknown: true })
        const folder = yield* folderOf({ "products.csv": products(5) })
        const made = yield* run(["style", "create", "kind", "--to", "de", "--json"], { folder, env })
        const [{ styleId }] = objects(made.stdout) as unknown as [{ styleId: string }]
        const at = { folder, env: { ...env, LANGUAGE_SERVICE_RELAX: "latencyWithStyle" } }
        const options = ["--style", styleId, "--model", "latency_optimized", "--parameter", "some_mode=fast"]
        expect(yield* run([...submit.with(submit.indexOf("de,fr"), "de"), ...options], at)).toMatchObject({
          code: 0
        })
        yield* worker([], at)
        expect(yield* run(["job", "watch", "products"], at)).toMatchObject({ code: 0 })
        expect(yield* billed).toBeGreaterThan(0)
      }),
    processTimeout
  )

  it.scopedLive(
    "ends with 1 if texts have failed, and lists them without their words",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ faults: [Fault.poison("POISON")] })
        const folder = yield* folderOf({ "products.csv": `${products(5)}\n9,a POISON mug` })
        const at = { folder, env }
        yield* run(submit, at)
        yield* worker([], at)
        const watched = yield* run(["job", "watch", "products"], at)
        expect(watched.code).toBe(1)
        expect(watched.stderr).toContain("2 texts failed. effect-translate job failures products lists them.")
        const again = yield* run(submit, at)
        expect(again.stdout).toMatch(/^products: done, /)
        expect(again.stderr).toBe("")
        const listed = yield* run(["job", "failures", "products", "--json"], at)
        const failures = objects(listed.stdout)
        expect(failures).toHaveLength(3)
        expect(failures.at(-1)).toEqual({ type: "result", id: "products", failures: 2 })
        expect(failures[0]).toMatchObject({ type: "failure", source: "products.csv" })
        expect(listed.stdout).not.toContain("POISON")
        expect((yield* run(["job", "failures", "products"], at)).stdout).toMatch(
          /^products\.csv:7 .* into de: /m
        )
      }),
    processTimeout
  )

  it.scopedLive(
    "translates a table of its database",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const at = { folder, env: { ...env, EFFECT_TRANSLATE_JOBS: "shop.db" } }
        const query = (sql: string) =>
          Effect.sync(() => {
            const database = new Database(`${folder}/shop.db`)
            const found = /^SELECT/.test(sql) ? database.prepare(sql).all() : database.exec(sql)
            database.close()
            return found
          })
        yield* query(
          "CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO articles VALUES (1, 'Mug'), (2, 'Cup')"
        )
        const table = [
          "job",
          "submit",
          "--table",
          "articles",
          "--key",
          "id",
          "--column",
          "title",
          "--to",
          "de,fr"
        ]
        const wrong = yield* run(table, at)
        expect(wrong.code).toBe(2)
        expect(wrong.stderr).toMatch(/^Where do translations go\?/)
        const submitted = yield* run([...table, "--output", "{column}_{lang}", "--id", "shop", "--json"], at)
        expect(submitted.code).toBe(0)
        yield* worker([], at)
        expect((yield* run(["job", "watch", "shop"], at)).code).toBe(0)
        expect(yield* query("SELECT id, title_de, title_fr FROM articles ORDER BY id")).toMatchObject([
          { id: 1, title_de: "[de] Mûg", title_fr: "[fr] Mûg" },
          { id: 2, title_de: "[de] Çûp", title_fr: "[fr] Çûp" }
        ])
      }),
    processTimeout
  )

  it.scopedLive(
    "keeps a correction in rows, which it finds by --key, and bills what is new alone",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": "sku,title\nA,Mug\nB,Cup\n" })
        const at = { folder, env }
        const output = `${folder}/products.de.csv`
        yield* worker([], at)
        const translated = (id: string) =>
          Effect.zipRight(
            run(
              [
                "job",
                "submit",
                "products.csv",
                "--from",
                "en",
                "--to",
                "de",
                "--column",
                "title",
                "--key",
                "sku",
                "--id",
                id
              ],
              at
            ),
            run(["job", "watch", id], at)
          )
        expect((yield* translated("first")).code).toBe(0)
        writeFileSync(output, readFileSync(output, "utf8").replace(/B,.*/, "B,Tasse"))
        writeFileSync(`${folder}/products.csv`, "sku,title\nC,Bowl\nA,Mug\nB,Cup\n")
        const before = yield* billed
        expect((yield* translated("second")).code).toBe(0)
        expect(readFileSync(output, "utf8")).toBe("sku,title\nC,[de] Böwl\nA,[de] Mûg\nB,Tasse\n")
        expect((yield* billed) - before).toBe("Bowl".length)
      }),
    processTimeout
  )

  it.scopedLive(
    "is left at once by a second Ctrl-C",
    () =>
      Effect.gen(function* () {
        const { env, requests } = yield* emulator({ latency: 60_000 })
        const folder = yield* folderOf({ "products.csv": products(50) })
        const at = { folder, env }
        yield* run(submit, at)
        const { ended, kill, told } = yield* worker(["--drain", "60"], at)
        yield* told("jobBegan")
        yield* until(requests, (count) => count > 0)
        yield* kill("SIGINT")
        yield* told("draining")
        yield* afterRelay
        yield* kill("SIGINT")
        expect((yield* ended).code).toBe(130)
      }),
    processTimeout
  )
})
