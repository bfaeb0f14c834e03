/**
 * Takes the pictures of the report page in `docs/images`, in chromium.
 *
 *     npx tsx scripts/reportScreenshots.ts
 */
import { mkdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type * as Pages from "../test/cli/reportPages.js"
import type * as Sample from "../test/cli/reportSample.js"
import { bundleModules, launch, write as writePicture } from "./pictures.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const work = `${root}node_modules/.cache/report-screenshots`
const images = process.argv[2] ?? `${root}docs/images`

await bundleModules([`${root}test/cli/reportPages.ts`, `${root}test/cli/reportSample.ts`], work)
const { write }: typeof Pages = await import(`${work}/reportPages.js`)
const { sample }: typeof Sample = await import(`${work}/reportSample.js`)
const report = `${work}/report.html`
await write(report, sample)

const browser = await launch()

const take = async (
  name: string,
  settings: {
    readonly width: number
    readonly height: number
    readonly colorScheme: "light" | "dark"
    readonly tab?: string
    readonly scroll?: string
    readonly search?: string
  }
) => {
  const { colorScheme, height, scroll, search, tab, width } = settings
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    locale: "en-GB",
    timezoneId: "UTC",
    deviceScaleFactor: width < 500 ? 2 : 1
  })
  await page.goto(`file://${report}`)
  if (tab !== undefined) await page.getByRole("tab", { name: tab }).click()
  if (search !== undefined) await page.getByRole("searchbox").fill(search)
  if (scroll !== undefined)
    await page
      .locator(scroll)
      .first()
      .evaluate((found) => found.scrollIntoView())
  await page.waitForTimeout(300)
  await writePicture(browser, await page.screenshot(), `${images}/${name}.webp`)
  await page.close()
}

mkdirSync(images, { recursive: true })
await take("report-light", { width: 1180, height: 1000, colorScheme: "light" })
await take("report-dark", {
  width: 1180,
  height: 900,
  colorScheme: "dark",
  search: "workspace",
  scroll: ".bar"
})
await take("report-timeline", {
  width: 1180,
  height: 940,
  colorScheme: "light",
  tab: "Timeline",
  scroll: ".figures"
})
if (process.argv[2] !== undefined) {
  await take("report-phone", {
    width: 360,
    height: 760,
    colorScheme: "light",
    search: "row 2.description",
    scroll: ".bar"
  })
  await take("languages", { width: 1180, height: 900, colorScheme: "light", tab: "Languages" })
  await take("files", { width: 1180, height: 900, colorScheme: "dark", tab: "Files" })
  await take("timeline-dark", {
    width: 1180,
    height: 900,
    colorScheme: "dark",
    tab: "Timeline",
    scroll: ".figures"
  })
  await take("phone-top", { width: 360, height: 760, colorScheme: "dark" })
  await take("phone-languages", { width: 360, height: 760, colorScheme: "light", tab: "Languages" })
  await take("phone-files", { width: 360, height: 760, colorScheme: "light", tab: "Files" })
}
await browser.close()
rmSync(work, { recursive: true })
