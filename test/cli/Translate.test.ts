import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const products = "id,title,note\n1,Mug,blue\n2,Cup,red\n3,Mug,green\n"

/** The objects of `--json`. */
const objects = (stdout: string): ReadonlyArray<Record<string, unknown> & { readonly type: string }> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("translate", () => {
  it.scopedLive(
    "translates files, bills nothing for the same again, and only the edit of an edited one",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "products.csv": products })
        const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
        const args = ["translate", "products.csv", "--to", "de,fr", "--column", "title"]

        const dry = yield* run([...args, "--dry-run", "--json"], { folder, env })
        expect(dry.code).toBe(0)
        const [forecast] = objects(dry.stdout)
        expect(forecast).toMatchObject({ type: "result", texts: 6, characters: 12 })
        expect(existsSync(`${folder}/.effect-translate`)).toBe(false)
        expect(yield* billed).toBe(0)

        const first = yield* run(args, { folder, env })
        expect(first.code).toBe(0)
        expect(first.stderr).toContain("Translating products.csv into de, fr: 6 texts")
        expect(first.stdout).toMatch(/^all +6 +4 +2 +0 +0 +2 +12 /m)
        expect(first.stdout).toContain("products.de.csv: written")
        expect(first.stdout).toContain("Everything is translated. 12 characters were billed.")
        expect(read("products.de.csv")).toBe(
          "id,title,note\n1,[de] Mûg,blue\n2,[de] Çûp,red\n3,[de] Mûg,green\n"
        )
        expect(yield* billed).toBe(12)

        const again = yield* run(args, { folder, env })
        expect(again.code).toBe(0)
        expect(again.stderr).toContain(
          "2 outputs there already: only what is new or has changed is translated"
        )
        expect(again.stdout).toContain("2 outputs unchanged")
        expect(yield* billed).toBe(12)

        writeFileSync(`${folder}/products.csv`, `${products}4,Pot,new\n`)
        expect((yield* run(args, { folder, env })).code).toBe(0)
        expect(read("products.fr.csv")).toContain("4,[fr] Pöt,new")
        expect(yield* billed).toBe(18)
      }),
    processTimeout
  )
})
