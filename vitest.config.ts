import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { binaryMessages } from "./scripts/binaryMessages.js"
import { busyWorkers } from "./scripts/busyWorkers.js"
import { entries } from "./scripts/entries.js"
import { failures } from "./scripts/failures.js"
import { nativeSources } from "./scripts/nativeSources.js"
import { textBundlesOfVite } from "./scripts/textBundles.js"

/** The bound, in milliseconds, that guards against a test that hangs: tests have none of their own. */
const timeout = Number(process.env.TEST_TIMEOUT ?? 600_000)

/** `npm test`. What takes longer is in `vitest.long.config.ts`. */
export default defineConfig({
  plugins: [binaryMessages, busyWorkers, failures, nativeSources, textBundlesOfVite],
  resolve: {
    alias: entries.map(({ module, name }) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(new URL(`./src/${module}.ts`, import.meta.url))
    }))
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.{long,campaign}.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    // For the lines of tests that fail.
    includeTaskLocation: true,
    testTimeout: timeout,
    hookTimeout: timeout,
    // Loading the library anew for each of some 80 files would take as long as a third of the tests.
    isolate: false,
    maxWorkers: 2,
    // As many: tinypool breaks the run off when it takes an idle worker away.
    minWorkers: 2,
    // Concurrent tests are those that wait for a clock.
    maxConcurrency: 20,
    // With V8's 16 MiB for young objects, workers stop for them twice as long: a seventh of the time they work. Grown by and by, they take a tenth of CPU more.
    poolOptions: { forks: { execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"] } }
  }
})
