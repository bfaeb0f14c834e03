import { Tinypool } from "tinypool"
import { defineConfig } from "vitest/config"
import { textBundlesOfVite } from "./scripts/textBundles.js"
import config from "./vitest.config.js"

// vitest would begin each run of tests in a new thread, which takes 3 s to load the library.
if (process.env.MUTANTS_THREAD === "kept") Tinypool.prototype.recycleWorkers = () => Promise.resolve()

/** The tests of `npm run test:campaign -- mutants`: `scripts/mutants.ts` says which. */
export default defineConfig({
  ...config,
  plugins: [textBundlesOfVite],
  test: {
    ...config.test,
    include: JSON.parse(process.env.MUTANTS_TESTS ?? "[]"),
    // By that a mutant is found that makes a test wait for ever.
    testTimeout: Number(process.env.MUTANTS_TIMEOUT),
    hookTimeout: 30_000,
    env: { TEST_SEED: "1", TEST_TIMEOUT: "60000" }
  }
})
