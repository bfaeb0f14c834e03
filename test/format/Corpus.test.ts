import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { check } from "./corpusCheck.js"
import { kinds } from "./corpusKinds.js"

const folder = fileURLToPath(new URL("corpus", import.meta.url))

const filesIn = (path: string) =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe("Small files of each format", () => {
  for (const kind of kinds) {
    it.effect(`${kind.folder} as ${kind.format("").name}: come out as they were, and hold translations`, () =>
      Effect.gen(function* () {
        for (const file of filesIn(join(folder, kind.folder))) {
          const { faults, identical, units } = yield* check(
            kind,
            file.slice(folder.length),
            readFileSync(file)
          )
          expect(faults).toStrictEqual([])
          expect(identical).toBe(true)
          expect(units).toBeGreaterThan(0)
        }
      })
    )
  }
})
