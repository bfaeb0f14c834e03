/**
 * Takes the pictures of the page of the jobs in `docs/images`, in Debian's chromium.
 *
 *     npx tsx scripts/jobsScreenshots.ts
 */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { chromium } from "playwright-core"
import * as fakeControl from "../test/workflow/fakeControl.js"
import { key, serve } from "../test/workflow/jobServer.js"
import * as jobsSample from "../test/workflow/jobsSample.js"

const all = process.argv[2] !== undefined
const images = process.argv[2] ?? fileURLToPath(new URL("../docs/images", import.meta.url))

interface Settings {
  readonly width: number
  readonly height: number
  readonly colorScheme: "light" | "dark"
  readonly hash?: string
  readonly click?: string
  readonly isKeyless?: boolean
}

const shots: ReadonlyArray<readonly [name: string, settings: Settings, isForDocs?: boolean]> = [
  ["jobs-light", { width: 1180, height: 1000, colorScheme: "light" }, true],
  ["jobs-dark", { width: 1180, height: 1000, colorScheme: "dark", hash: "#/jobs/product-catalogue" }, true],
  ["jobs-phone", { width: 360, height: 760, colorScheme: "light" }, true],
  ["workers", { width: 1180, height: 700, colorScheme: "light", hash: "#/workers" }],
  ["list-dark", { width: 1180, height: 1000, colorScheme: "dark" }],
  ["job-phone", { width: 360, height: 760, colorScheme: "dark", hash: "#/jobs/product-catalogue" }],
  ["workers-phone", { width: 360, height: 760, colorScheme: "light", hash: "#/workers" }],
  ["question", { width: 1180, height: 700, colorScheme: "light", click: "Cancel product-catalogue" }],
  ["key", { width: 1180, height: 500, colorScheme: "light", isKeyless: true }],
  ["key-phone", { width: 360, height: 500, colorScheme: "dark", isKeyless: true }]
]

const program = Effect.gen(function* () {
  const fake = fakeControl.make()
  jobsSample.fill(fake)
  const url = yield* serve(fake.control)
  yield* Effect.promise(async () => {
    mkdirSync(images, { recursive: true })
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
    for (const [name, { click, colorScheme, hash = "", height, isKeyless, width }] of shots.filter(
      ([, , isForDocs]) => all || isForDocs
    )) {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme,
        locale: "en-GB",
        timezoneId: "UTC",
        deviceScaleFactor: width < 500 ? 2 : 1
      })
      await page.goto(`${url}/${hash}`)
      if (isKeyless !== true) {
        await page.getByLabel("Key of the server").fill(key)
        await page.keyboard.press("Enter")
        await page.getByRole("navigation").waitFor()
      }
      if (click !== undefined) await page.getByRole("button", { name: click }).click()
      await page.waitForTimeout(600)
      await page.screenshot({ path: `${images}/${name}.png` })
      await page.close()
    }
    await browser.close()
  })
})

await Effect.runPromise(Effect.scoped(program))
process.exit()
