/** `job` and `worker` over the objects of a bucket. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { columns, world } from "./bucketWorld.js"
import { processTimeout, start } from "./process.js"

describe("a durable job", () => {
  it.scopedLive(
    "reads and writes the objects that its worker allows; others are refused when it is submitted",
    () =>
      Effect.gen(function* () {
        const { env, folder, run, textOf } = yield* world({
          "in/a.csv": "id,title\n1,Mug\n",
          "other/a.csv": "id,title\n1,Cup\n"
        })
        const submit = (key: string, ...sources: ReadonlyArray<string>) =>
          run("job", "submit", `s3://corpora/${key}`, ...columns, "--id", "objects", ...sources)
        const refused = yield* submit("in/a.csv")
        expect(refused.code).toBe(2)
        expect(refused.stderr).toContain("--sources")
        const allowed = ["--sources", "s3://corpora/in/"]
        const withoutScheme = yield* run("worker", "--sources", "corpora/in/")
        expect(withoutScheme).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("entry 1 is no address with a host")
        })
        const outside = yield* submit("other/a.csv", ...allowed)
        expect(outside.code).toBe(2)
        expect(outside.stderr).toContain("begins with none of their sources")
        expect(yield* submit("in/a.csv", ...allowed)).toMatchObject({ code: 0 })
        yield* start(["worker", "--quiet", ...allowed], { folder, env })
        expect(yield* run("job", "watch", "objects")).toMatchObject({ code: 0 })
        expect(yield* textOf("in/a.de.csv")).toBe("id,title\n1,[de] Mûg\n")
      }),
    processTimeout
  )
})
