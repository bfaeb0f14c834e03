/** `translate` and `check` of the objects of a bucket, and of what is behind an address. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { columns, disturbedWorld, world } from "./bucketWorld.js"
import { processTimeout, run, start } from "./process.js"

describe("translate", () => {
  it.scopedLive(
    "reads the objects of a pattern, and writes objects: the same again writes none",
    () =>
      Effect.gen(function* () {
        const { asked, keys, run, textOf } = yield* world({
          "in/a.csv": "id,title\n1,Mug\n",
          "in/b.csv": "id,title\n1,Cup\n",
          "other.csv": "id,title\n1,Plate\n"
        })
        const args = [
          "translate",
          "s3://corpora/in/*.csv",
          ...columns,
          "--out",
          "s3://corpora/out/{name}.{lang}.csv"
        ]
        const dry = yield* run(...args, "--dry-run")
        expect(dry).toMatchObject({ code: 0 })
        expect(dry.stdout).toMatch(/^de +2 +0 +0 +2 +2 +6$/m)
        const first = yield* run(...args)
        expect(first).toMatchObject({ code: 0 })
        expect(yield* keys).toEqual(["in/a.csv", "in/b.csv", "other.csv", "out/a.de.csv", "out/b.de.csv"])
        expect(yield* textOf("out/b.de.csv")).toBe("id,title\n1,[de] Çûp\n")
        const before = asked.length
        const again = yield* run(...args)
        expect(again).toMatchObject({ code: 0 })
        expect(asked.slice(before).filter(({ method }) => method !== "GET" && method !== "HEAD")).toEqual([])
        expect((yield* run("check", ...args.slice(1))).stderr).toContain("nothing is wrong")
      }),
    processTimeout
  )

  it.scopedLive(
    "goes on after kill -9: no object is half, and a text that was paid for is paid once",
    () =>
      Effect.gen(function* () {
        const rows = Array.from({ length: 2000 }, (_, index) => `${index},Product ${index}`)
        const { billed, env, folder, keys, run, textOf } = yield* world(
          { "big.csv": `id,title\n${rows.join("\n")}\n` },
          { latency: 100 }
        )
        const args = ["translate", "s3://corpora/big.csv", ...columns]
        const killed = yield* start(args, { folder, env })
        yield* Effect.repeat(billed, { until: (count) => count >= 1000 })
        yield* killed.kill("SIGKILL")
        yield* killed.ended
        expect(yield* keys).toEqual(["big.csv"])

        expect(yield* run(...args)).toMatchObject({ code: 0 })
        expect((yield* textOf("big.de.csv")).trimEnd().split("\n")).toHaveLength(2001)
        const once = rows.reduce((sum, row) => sum + row.length - row.indexOf(",") - 1, 0)
        // What was in flight when it was killed, at most.
        expect(yield* billed).toBeLessThanOrEqual(once + 8 * 50 * 12)
      }),
    processTimeout
  )

  it.scopedLive(
    "reports mistakes in a bucket and its keys, with advice",
    () =>
      Effect.gen(function* () {
        const { env, folder, run: runThere } = yield* world({ "a.csv": "id,title\n1,Mug\n" })
        const missing = yield* runThere("translate", "s3://corpora/b.csv", ...columns)
        expect(missing.stderr).toContain("s3://corpora/b.csv can't be read: there is no such object")
        expect(missing.code).toBe(2)
        const other = yield* runThere("translate", "s3://nowhere/b.csv", ...columns)
        expect(other.stderr).toContain("there is no such bucket")
        const { AWS_ACCESS_KEY_ID: _, ...without } = env
        const args = ["translate", "s3://corpora/a.csv", ...columns]
        const nobody = { ...without, HOME: folder, AWS_EC2_METADATA_DISABLED: "true" }
        const unknown = yield* run(args, { folder, env: nobody })
        expect(unknown.stderr).toContain("AWS_ACCESS_KEY_ID")
        expect(unknown.code).toBe(2)
      }),
    processTimeout
  )
})

describe("a bucket that is away", () => {
  it.scopedLive(
    "ends translate with the code of the place that can't be reached, and the same again goes on",
    () =>
      Effect.gen(function* () {
        let isAway = true
        const { billed, run } = yield* disturbedWorld(
          ({ method, url }) =>
            isAway && method === "PUT" && url.includes("/out/") ? { status: 503 } : undefined,
          { "a.csv": "id,title\n1,Mug\n" }
        )
        const args = ["translate", "s3://corpora/a.csv", ...columns, "--out", "s3://corpora/out/{lang}.csv"]
        const away = yield* run(...args)
        expect(away.code).toBe(5)
        expect(away.stdout).toMatch(/s3:\/\/corpora\/out\/de.csv can't be reached .*run the same again later/)
        const paid = yield* billed
        isAway = false
        expect(yield* run(...args)).toMatchObject({ code: 0 })
        expect(yield* billed).toBe(paid)
      }),
    processTimeout
  )
})

describe("translate of an address", () => {
  it.scopedLive(
    "writes a local file, and its signature is nowhere",
    () =>
      Effect.gen(function* () {
        const { env, folder } = yield* world({})
        const server = yield* Effect.acquireRelease(
          Effect.async<Http.Server>((resume) => {
            const server = Http.createServer((_, response) => response.end("id,title\n1,Mug\n2,\n"))
            server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const address = `${origin.replace("//", "//me:pass-word@")}/data/rows.csv?X-Amz-Signature=sesame`
        const args = ["translate", address, ...columns, "--json", "--verbose", "--report", "report.html"]
        const refused = yield* run(args, { folder, env })
        expect(refused.code).toBe(2)
        expect(refused.stderr).toContain("--sources")
        const withoutScheme = yield* run([...args, "--sources", new URL(origin).host], { folder, env })
        expect(withoutScheme.code).toBe(2)
        expect(withoutScheme.stderr).toContain("entry 1 is no address with a host")
        const done = yield* run([...args, "--sources", origin], { folder, env })
        expect(done).toMatchObject({ code: 0 })
        expect(existsSync(`${folder}/rows.de.csv`)).toBe(true)
        const written = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name, parentPath }) => name + readFileSync(`${parentPath}/${name}`, "latin1"))
        for (const text of [...written, refused.stderr, refused.stdout, done.stderr, done.stdout]) {
          expect(text).not.toMatch(/sesame|pass-word/)
        }
        expect(done.stdout).toContain(`${origin}/data/rows.csv`)
      }),
    processTimeout
  )
})
