import { readFileSync } from "node:fs"
import { globSync } from "tinyglobby"
import { defineConfig } from "vitest/config"
import config from "./vitest.config.js"

/** Test files that take part in `npm test` with fewer runs or databases. */
const shortened = globSync("test/**/*.test.ts", { ignore: "**/*.long.test.ts" })
  .filter((file) => readFileSync(file, "utf8").includes('/support/long.js"'))
  .sort()

/** `npm run test:long`: the package as users install it, programs as processes, PostgreSQL, and random tests with all of their runs. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["test/**/*.long.test.ts", ...shortened],
    exclude: [],
    env: { TEST_LONG: "1" },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Concurrent tests are those that wait for a clock.
    maxConcurrency: 10
  }
})
