import { defineConfig } from "vitest/config"
import { LongestFirst } from "./scripts/longestFirst.js"
import config from "./vitest.config.js"

/** `npm run test:long`: the package as users install it, programs as processes, PostgreSQL, a browser: each once, and small. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["test/**/*.long.test.ts"],
    exclude: [],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Their tests wait for processes and databases most of the time.
    maxWorkers: 4,
    minWorkers: 4,
    // Those of four files at once.
    maxConcurrency: 10,
    sequence: { sequencer: LongestFirst }
  }
})
