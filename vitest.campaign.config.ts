import { defineConfig } from "vitest/config"
import config from "./vitest.long.config.js"

/** The tests of `npm run test:campaign`, in their full sizes: `scripts/campaigns.ts` says which. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["test/**/*.test.ts"],
    env: { TEST_CAMPAIGN: "1" },
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000
  }
})
