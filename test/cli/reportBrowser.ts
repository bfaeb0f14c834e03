/** Pages of reports in a browser. */
import type { Browser, Page } from "playwright-core"

export interface Opened {
  readonly page: Page
  /** What went wrong in the page, and requests that have left it. */
  readonly complaints: ReadonlyArray<string>
}

/** Opens a file. */
export const open = async (
  browser: Browser,
  file: string,
  settings: { readonly width?: number; readonly colorScheme?: "light" | "dark" } = {}
): Promise<Opened> => {
  const { colorScheme = "light", width = 1200 } = settings
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, locale: "en-GB" })
  const complaints: Array<string> = []
  const url = `file://${file}`
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on("pageerror", (error) => complaints.push(`${error.stack}`))
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:"))
      complaints.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  await page.getByRole("tablist").waitFor()
  return { page, complaints }
}
