import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** `npm test`. What takes longer is in `vitest.long.config.ts`. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^effect-translate$/, replacement: src("index.ts") },
      { find: /^effect-translate\/(.+)$/, replacement: src("$1/index.ts") }
    ]
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.long.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Loading the library anew for each of some 80 files would take as long as a third of the tests.
    isolate: false,
    maxWorkers: 2,
    minWorkers: 1
  }
})
