import { defineConfig } from "vitest/config"
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
    // Concurrent tests are those that wait for a clock.
    maxConcurrency: 10
  }
})
