/**
 * Takes the pictures of the page of the jobs in `docs/images`, in chromium.
 *
 *     npx tsx scripts/jobsScreenshots.ts
 */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as FakeControl from "../test/workflow/fakeControl.js"
import type * as JobServer from "../test/workflow/jobServer.js"
import type * as JobsSample from "../test/workflow/jobsSample.js"
import { bundleModules, launch, write } from "./pictures.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const work = `${root}node_modules/.cache/jobs-screenshots`
const names = ["fakeControl", "jobServer", "jobsSample"]

await bundleModules(
  names.map((name) => `${root}test/workflow/${name}.ts`),
  work
)
const fakeControl: typeof FakeControl = await import(`${work}/fakeControl.js`)
const { key, serve }: typeof JobServer = await import(`${work}/jobServer.js`)
const jobsSample: typeof JobsSample = await import(`${work}/jobsSample.js`)

const all = process.argv[2] !== undefined
const images = process.argv[2] ?? `${root}docs/images`

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
  ["jobs-dark", { width: 1180, height: 1000, colorScheme: "dark", hash: "#/jobs/product-catalogue" }],
  ["jobs-phone", { width: 360, height: 760, colorScheme: "light" }],
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
  // A job that goes on, so that the page has a pace to tell.
  setInterval(() => {
    const { progress } = fake.jobs.get("product-catalogue")!
    fake.change("product-catalogue", { progress: { ...progress, texts: progress.texts + 390 } })
  }, 300)
  yield* Effect.promise(async () => {
    mkdirSync(images, { recursive: true })
    const browser = await launch()
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
      if (isKeyless !== true && hash !== "#/workers") {
        await page
          .getByText(/texts a second/)
          .last()
          .waitFor()
      }
      if (click !== undefined) await page.getByRole("button", { name: click }).click()
      await page.waitForTimeout(600)
      await write(browser, await page.screenshot(), `${images}/${name}.webp`)
      await page.close()
    }
    await browser.close()
  })
})

await Effect.runPromise(Effect.scoped(program))
process.exit()
