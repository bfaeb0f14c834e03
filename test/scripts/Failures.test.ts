import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { told } from "../../scripts/failures.js"

const failure = {
  file: "test/a/B.test.ts",
  line: 12,
  name: "a list is kept",
  seed: "17",
  config: "vitest.config.ts"
}

const commandOf = (given: Partial<typeof failure>) => told({ ...failure, ...given }).split("\n  ")[1]!

describe("a test that failed is told", () => {
  it("by its file, its line, the seed and the command that runs it alone", () => {
    assert.strictEqual(
      told(failure),
      "test/a/B.test.ts:12  a list is kept\n  TEST_SEED=17 npx vitest run test/a/B.test.ts -t '^a list is kept$'"
    )
  })

  it("with the configuration of the long tests, where it is one", () => {
    assert.strictEqual(
      commandOf({ config: "vitest.long.config.ts", file: "test/a/B.long.test.ts" }),
      "TEST_SEED=17 npx vitest run --config vitest.long.config.ts test/a/B.long.test.ts -t '^a list is kept$'"
    )
  })

  it("by its file alone, where the file did not load", () => {
    assert.strictEqual(
      told({ file: failure.file, seed: "17", config: failure.config }),
      "test/a/B.test.ts\n  TEST_SEED=17 npx vitest run test/a/B.test.ts"
    )
  })

  it("by a pattern that a shell passes on whole, and that matches its titles and nothing longer", () => {
    const names = ["costs $5 (or 'more') [each]", 'says "a\\b" > `c` | d?', "ends with !"]
    for (const name of names) {
      const pattern = execFileSync("sh", ["-c", `printf %s ${commandOf({ name }).split(" -t ")[1]}`], {
        encoding: "utf8"
      })
      assert.match(name, new RegExp(pattern))
      assert.notMatch(`${name} again`, new RegExp(pattern))
    }
  })

  it("by a pattern that matches any titles", () => {
    fc.assert(
      fc.property(fc.fullUnicodeString({ minLength: 1 }), (name) => {
        const quoted = commandOf({ name }).split(" -t ").slice(1).join(" -t ")
        const pattern = quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("'\\''", "'") : quoted
        return new RegExp(pattern).test(name)
      })
    )
  })
})
