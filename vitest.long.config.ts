import { defineConfig } from "vitest/config"
import config from "./vitest.config.js"

/** `npm run test:long`: the package as users install it, and random tests with all of their runs. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: [
      "test/**/*.long.test.ts",
      "test/docs/CodeBlocks.test.ts",
      "test/document/JournalLock.test.ts",
      "test/emulator/Model.test.ts",
      "test/job/TranslationJob.property.test.ts",
      "test/sql/Conformance.test.ts",
      "test/sql/Failures.test.ts",
      "test/sql/LibsqlClient.test.ts",
      "test/stream/Budget.test.ts",
      "test/stream/SharedStore.property.test.ts"
    ],
    exclude: [],
    env: { TEST_LONG: "1" },
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
