/** The page of the jobs in a browser, over a server with control in memory. */
import axe from "axe-core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type * as CorpusJob from "../../src/workflow/CorpusJob.js"
import { JobsUnavailable } from "../../src/workflow/JobControlError.js"
import { launch } from "../support/browser.js"
import * as fakeControl from "./fakeControl.js"
import { key, serve } from "./jobServer.js"
import * as jobsSample from "./jobsSample.js"

const hostile = `<img src=x onerror="fetch('https://evil.example/')"><script>document.title='evil'</script>"'&{{7*7}}`

describe("the page of the jobs", () => {
  let browser: Browser
  let scope: Scope.CloseableScope
  let fake: fakeControl.Fake
  let url: string
  let complaints: Array<string>

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    complaints = []
    fake = fakeControl.make()
    scope = await Effect.runPromise(Scope.make())
    url = await Effect.runPromise(Scope.extend(serve(fake.control), scope))
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const open = async (
    path = "",
    settings: { readonly width?: number; readonly colorScheme?: "light" | "dark" } = {}
  ): Promise<Page> => {
    const { colorScheme = "light", width = 1200 } = settings
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, locale: "en-GB" })
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on("pageerror", (error) => complaints.push(`${error.stack}`))
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
        complaints.push(`request: ${request.url()}`)
    })
    await page.goto(`${url}/${path}`)
    return page
  }
  const enter = async (page: Page, typed = key) => {
    await page.getByLabel("Key of the server").fill(typed)
    await page.keyboard.press("Enter")
  }
  const opened = async (...given: Parameters<typeof open>) => {
    const page = await open(...given)
    await enter(page)
    await page.getByRole("navigation").waitFor()
    return page
  }
  const row = (page: Page, id: string) =>
    page.locator("li.job", { has: page.getByRole("link", { name: id, exact: true }) })
  const add = (id: string, more: Partial<CorpusJob.Status> = {}) =>
    fake.jobs.set(id, fakeControl.statusOf(fakeControl.job(id), more))

  it("asks for the key, and keeps it in the tab only", async () => {
    add("docs")
    const page = await open()
    expect(await page.getByText("docs").count()).toBe(0)
    await enter(page)
    await row(page, "docs").waitFor()
    expect(
      await page.evaluate(() => [Object.keys(sessionStorage).length, localStorage.length, document.cookie])
    ).toEqual([1, 0, ""])
    await page.reload()
    await row(page, "docs").waitFor()
    const other = await (await browser.newContext()).newPage()
    await other.goto(url)
    await other.getByLabel("Key of the server").waitFor()
    await page.getByRole("button", { name: "Forget the key" }).click()
    await page.getByLabel("Key of the server").waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(complaints).toEqual([])
  })

  it("says that a key was refused, and forgets it", async () => {
    const page = await open()
    await enter(page, "a wrong key that is long enough")
    await page.getByRole("alert").filter({ hasText: "The key was refused." }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await enter(page)
    await page.getByRole("navigation").waitFor()
  })

  it("shows how a job gets on without being asked", async () => {
    add("docs")
    const page = await opened()
    const docs = row(page, "docs")
    await docs.getByText("Submitted", { exact: true }).waitFor()
    fake.change("docs", {
      state: "running",
      progress: { texts: 500, totalTexts: 1000, outputs: 0, totalOutputs: 4 },
      characters: { least: 12_000, most: 12_500 },
      cost: { least: 0.24, most: 0.25 }
    })
    await docs.getByText("45 %, 500 of 1,000 texts, 0 of 4 outputs").waitFor()
    await docs.getByText("12,000 to 12,500 characters billed").waitFor()
    await docs.getByText("cost 0.24 to 0.25").waitFor()
    expect(await docs.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("45")
    fake.change("docs", {
      state: "waiting",
      waiting: { reason: "quota", until: DateTime.unsafeMake("2027-02-01T00:00:00Z") }
    })
    await docs.getByText("The quota is used up: the job goes on by itself at").waitFor()
    fake.change("docs", {
      state: "failed",
      error: { tag: "InvalidReference", message: "There is no such folder." }
    })
    await docs.getByText("InvalidReference: There is no such folder.").waitFor()
    add("web")
    await row(page, "web").waitFor()
    fake.jobs.delete("docs")
    await docs.waitFor({ state: "detached" })
    expect(complaints).toEqual([])
  })

  it("pauses and resumes, and keeps the focus", async () => {
    add("docs", { state: "running" })
    const page = await opened()
    const pause = page.getByRole("button", { name: "Pause docs" })
    await pause.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("status").filter({ hasText: "docs is paused." }).waitFor()
    await row(page, "docs").getByText("Paused").waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Resume docs")
    await page.keyboard.press("Enter")
    await row(page, "docs").getByText("Running").waitFor()
    expect(fake.calls.filter((call) => /^(pause|resume)/.test(call))).toEqual(["pause docs", "resume docs"])
  })

  it("asks before it cancels or removes", async () => {
    add("docs", { state: "running" })
    const page = await opened()
    await page.getByRole("button", { name: "Cancel docs" }).click()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Cancel docs" }).click()
    await page.getByRole("button", { name: "Let it run" }).click()
    expect(fake.jobs.get("docs")?.state).toBe("running")
    await page.getByRole("button", { name: "Cancel docs" }).click()
    await page.getByRole("button", { name: "Cancel the job" }).click()
    await row(page, "docs").getByText("Cancelled").waitFor()
    await page.getByRole("button", { name: "Remove docs" }).click()
    await page.getByRole("button", { name: "Remove the job" }).click()
    await page.getByText("There are no jobs").waitFor()
    expect(fake.calls.filter((call) => /^(cancel|purge)/.test(call))).toEqual(["cancel docs", "purge docs"])
  })

  it("removes all that have ended", async () => {
    add("docs", { state: "done" })
    add("web", { state: "running" })
    const page = await opened()
    await page.getByRole("button", { name: "Remove ended jobs" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove ended jobs" }).click()
    await row(page, "docs").waitFor({ state: "detached" })
    expect([...fake.jobs.keys()]).toEqual(["web"])
  })

  it("says why something was not done", async () => {
    add("docs", { state: "running" })
    const page = await opened()
    const pause = page.getByRole("button", { name: "Pause docs" })
    await pause.waitFor()
    await page.route("**/v1/jobs/docs/pause", async (route) => {
      fake.change("docs", { state: "done" })
      await route.continue()
    })
    await pause.click()
    await page.getByRole("status").filter({ hasText: "The job has ended." }).waitFor()
  })

  it("shows the outcome of a job by language, and its failures", async () => {
    add("docs", {
      state: "running",
      targets: [{ targetLang: "de", translated: 1234, cached: 5, skipped: 6, failed: 150 }]
    })
    const failure = (index: number): CorpusJob.Failure => ({
      source: "app.json",
      targetLang: "de",
      key: `menu.${index}`,
      line: index,
      tag: "PlaceholderLost",
      message: "1 of 1 is missing."
    })
    fake.failures.set(
      "docs",
      Array.from({ length: 150 }, (_, index) => failure(index))
    )
    const page = await opened()
    await page.getByRole("link", { name: "docs", exact: true }).click()
    await page.getByRole("cell", { name: "1,234" }).waitFor()
    await page.getByRole("cell", { name: "menu.99", exact: true }).waitFor()
    expect(await page.getByText("menu.100").count()).toBe(0)
    await page.getByRole("button", { name: /^Show .* more$/ }).click()
    await page.getByRole("cell", { name: "menu.149" }).waitFor()
    await page.getByText("As it was submitted").click()
    await page.getByText('"folder": "/data"').waitFor()
    fake.failures.set("docs", [failure(500)])
    expect(await page.getByRole("columnheader", { name: "Look wrong" }).count()).toBe(0)
    fake.change("docs", {
      targets: [{ targetLang: "de", translated: 9, cached: 0, skipped: 0, failed: 1, flagged: 3 }]
    })
    await page.getByRole("cell", { name: "menu.500" }).waitFor()
    await page.getByRole("columnheader", { name: "Look wrong" }).waitFor()
    await page.goBack()
    await page.getByText("1 text not translated, 3 look wrong").waitFor()
    await row(page, "docs").waitFor()
    expect(complaints).toEqual([])
  })

  it("opens one job by its address, and says if there is none", async () => {
    add("docs")
    const page = await opened("#/jobs/docs")
    await page.getByRole("heading", { name: "docs" }).waitFor()
    fake.jobs.delete("docs")
    await page.getByText("There is no job docs.").waitFor()
    for (const hash of ["#/jobs/%", "#/none", "#"]) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, hash)
      await page.getByText("There are no jobs").waitFor()
    }
    expect(complaints).toEqual([])
  })

  it("shows workers and their work", async () => {
    jobsSample.fill(fake)
    const page = await opened("#/workers")
    const cells = await page.getByRole("row", { name: "10.0.4.13:34101" }).getByRole("cell").allTextContents()
    expect(cells.slice(0, 3)).toEqual(["Draining", "2", "41 min 59 s"])
    fake.workers.length = 0
    await page.getByText("There are no workers").waitFor()
  })

  it("makes no mark-up of the names of jobs, failures and workers", async () => {
    fake.jobs.set(
      hostile,
      fakeControl.statusOf(fakeControl.job("x"), {
        id: "x",
        state: "failed",
        error: { tag: hostile, message: hostile },
        job: fakeControl.job("x", {
          corpus: { kind: hostile, reference: { [hostile]: hostile } },
          revision: hostile
        }),
        targets: [{ targetLang: hostile, translated: 0, cached: 0, skipped: 0, failed: 1 }]
      })
    )
    fake.failures.set("x", [
      { source: hostile, targetLang: hostile, key: hostile, line: 1, tag: hostile, message: hostile }
    ])
    fake.jobs.set("x", fake.jobs.get(hostile)!)
    fake.jobs.delete(hostile)
    fake.workers.push({
      address: hostile,
      version: hostile,
      startedAt: fakeControl.at("2026-01-02T03:04:05Z"),
      seenAt: fakeControl.at("2026-01-02T03:04:05Z"),
      inFlight: 1,
      state: "running"
    })
    const page = await opened()
    await page.getByText(hostile).first().waitFor()
    await page.getByRole("link", { name: "x", exact: true }).click()
    await page.getByRole("cell", { name: hostile }).first().waitFor()
    await page.getByRole("link", { name: "Workers" }).click()
    await page.getByRole("region", { name: "Workers" }).getByRole("rowheader", { name: hostile }).waitFor()
    expect(await page.locator("img, body script").count()).toBe(0)
    expect(await page.title()).toBe("Jobs")
    expect(complaints).toEqual([])
  })

  it("makes no mark-up of a hostile id, wherever it comes from", async () => {
    const job = {
      id: hostile,
      generation: 1,
      job: { id: hostile, corpus: { kind: "files", reference: {} }, targets: ["de"] },
      state: "running",
      submittedAt: "2026-01-02T03:04:05.000Z",
      progress: { texts: 0, outputs: 0 },
      targets: [],
      characters: { least: 0, most: 0 }
    }
    const counts = { all: 1, underWay: 1, ended: 0, withFailures: 0 }
    const answer = JSON.stringify({ jobs: [job], counts })
    const page = await open()
    await page.route("**/v1/jobs?*", (route) =>
      route.fulfill({ contentType: "application/json", body: answer })
    )
    await enter(page)
    await page.getByRole("button", { name: `Cancel ${hostile}` }).click()
    await page.getByText(`Cancel the job ${hostile}?`).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: hostile }).click()
    await page.getByRole("heading", { name: hostile }).waitFor()
    expect(await page.locator("img, body script").count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it("runs nothing but its own script, and asks nobody but its server", async () => {
    const page = await opened()
    const refused = await page.evaluate(async () => {
      const violated: Array<string> = []
      document.addEventListener("securitypolicyviolation", (event) => violated.push(event.effectiveDirective))
      const asked = await fetch("https://evil.example/").then(
        () => "answered",
        () => "refused"
      )
      const image = await new Promise((resolve) => {
        const made = document.createElement("img")
        made.onload = () => resolve("loaded")
        made.onerror = () => resolve("refused")
        made.src = "/openapi.json"
      })
      const script = document.createElement("script")
      let ran = "refused"
      try {
        script.textContent = "document.title = 'evil'"
        document.body.append(script)
      } catch {
        ran = "refused"
      }
      if (document.title === "evil") ran = "ran"
      let evaluated = "evaluated"
      try {
        new Function("return 1")()
      } catch {
        evaluated = "refused"
      }
      return [asked, image, ran, evaluated, ...new Set(violated)]
    })
    expect(refused.slice(0, 4)).toEqual(["refused", "refused", "refused", "refused"])
    expect(refused).toEqual(expect.arrayContaining(["connect-src", "img-src"]))
    const framing = await browser.newPage()
    // It is loaded when its frames are.
    await framing.setContent(`<iframe src="${url}/"></iframe>`)
    expect(framing.frames()[1]?.url()).toBe("chrome-error://chromewebdata/")
  })

  it("goes on when the server comes back", async () => {
    add("docs")
    const page = await opened()
    fake.broken = new JobsUnavailable({ code: "ECONNREFUSED" })
    await page
      .getByRole("alert")
      .filter({ hasText: "The database of the jobs can't be used (ECONNREFUSED)" })
      .waitFor()
    expect(await row(page, "docs").count()).toBe(1)
    fake.broken = undefined
    fake.change("docs", { state: "running" })
    await row(page, "docs").getByText("Running").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await page.route("**/v1/**", (route) => route.abort())
    await page.getByRole("alert").filter({ hasText: "The server does not answer." }).waitFor()
    await page.unroute("**/v1/**")
    await page.getByRole("alert").waitFor({ state: "hidden" })
  })

  it("is usable with 1,000 jobs, all of which change", async () => {
    for (let index = 0; index < 1000; index++) {
      add(`job-${index}`, {
        state: "running",
        progress: { texts: 0, totalTexts: 1000, outputs: 0, totalOutputs: 1 }
      })
    }
    const page = await opened()
    await row(page, "job-999").waitFor()
    expect(await page.locator("li.job").count()).toBe(100)
    for (const id of fake.jobs.keys()) {
      fake.change(id, { progress: { texts: 500, totalTexts: 1000, outputs: 0, totalOutputs: 1 } })
    }
    await row(page, "job-950").getByText("45 %").waitFor()
    await page.getByRole("button", { name: "Show 100 more of 1,000 jobs" }).click()
    await page.locator("li.job").nth(199).waitFor()
    expect(await page.locator("li.job").count()).toBe(200)
    await page.keyboard.press("/")
    await page.keyboard.type("job-77")
    await page.getByText("11 jobs", { exact: true }).waitFor()
    expect(await page.locator("li.job").count()).toBe(11)
  })

  it("shows those that are asked for, and one that is not among them", async () => {
    for (let index = 0; index < 150; index++) add(`old-${index}`, { state: "done" })
    add("refused", { state: "failed", error: { tag: "InvalidReference", message: "It may not be used." } })
    for (let index = 0; index < 120; index++) add(`new-${index}`, { state: "running" })
    const page = await opened()
    const chip = (name: string) =>
      page.getByRole("group", { name: "Which jobs" }).getByRole("button", { name })
    await row(page, "new-119").waitFor()
    expect(await chip("All").textContent()).toBe("All 271")
    await chip("Under way").click()
    await page.getByText("120 jobs", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Show 20 more of 120 jobs" }).click()
    await row(page, "new-0").waitFor()
    expect(await page.locator("li.job").count()).toBe(120)
    await chip("With failures").click()
    await row(page, "refused").waitFor()
    await row(page, "new-0").waitFor({ state: "detached" })
    expect(await page.locator("li.job").count()).toBe(1)
    await chip("Ended").click()
    await row(page, "old-149").waitFor()
    await page.getByLabel("Find a job").fill("old-3")
    await page.getByText("11 jobs", { exact: true }).waitFor()
    expect(await page.getByRole("link", { name: "Jobs", exact: false }).first().textContent()).toBe(
      "Jobs 271"
    )
    await page.evaluate(() => {
      location.hash = "#/jobs/new-7"
    })
    await page.getByRole("heading", { name: "new-7" }).waitFor()
    await page.getByRole("button", { name: "Pause new-7" }).waitFor()
    expect(complaints).toEqual([])
  })

  it("tells how fast a job goes, and how long the rest takes", async () => {
    const texts = (texts: number) => ({ texts, totalTexts: 100_000, outputs: 0, totalOutputs: 1 })
    add("docs", { state: "running", progress: texts(0) })
    const page = await opened()
    const docs = row(page, "docs")
    await docs.waitFor()
    fake.change("docs", { progress: texts(6000) })
    await docs.getByText(/[\d,]+ texts a second {2}· {2}about .+ left/).waitFor()
    await page.getByText("texts a second", { exact: true }).waitFor()
    await docs.getByRole("link").click()
    await page.getByText("left, about", { exact: true }).waitFor()
    fake.change("docs", { state: "paused" })
    await page.getByText("left, about", { exact: true }).waitFor({ state: "detached" })
    await page.goBack()
    await docs.getByText("Paused").waitFor()
    expect(await page.getByText("texts a second").count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it("asks nothing while nobody looks", async () => {
    const page = await opened()
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await page.waitForTimeout(1500)
    const asked = fake.calls.length
    await page.waitForTimeout(2500)
    expect(fake.calls.length).toBe(asked)
    add("docs")
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false, configurable: true })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await row(page, "docs").waitFor()
  })

  it("has no more width than a phone", async () => {
    jobsSample.fill(fake)
    for (const path of ["", "#/jobs/product-catalogue", "#/workers"]) {
      const page = await opened(path, { width: 360 })
      await page.waitForTimeout(300)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360])
      await page.close()
    }
  })

  it("has nothing that axe finds wrong, in each part, in the light and in the dark", async () => {
    jobsSample.fill(fake)
    const check = async (page: Page, part: string) => {
      const violations = await page.evaluate(async () => {
        const result = await (window as unknown as { axe: typeof axe }).axe.run()
        return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
      })
      expect([part, violations]).toEqual([part, []])
    }
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open("", { colorScheme })
      // The policy of the page lets no script in but through the debugger.
      await page.evaluate(axe.source)
      await check(page, `${colorScheme}: the key`)
      await enter(page)
      await row(page, "help-center").waitFor()
      await check(page, `${colorScheme}: jobs`)
      await page.getByRole("button", { name: "Remove draft-manual" }).click()
      await check(page, `${colorScheme}: a question`)
      await page.keyboard.press("Escape")
      await page.getByRole("link", { name: "product-catalogue" }).click()
      await page.getByRole("cell", { name: "Placeholder lost" }).first().waitFor()
      await check(page, `${colorScheme}: a job`)
      await page.getByRole("link", { name: "Workers" }).click()
      await page.getByRole("rowheader", { name: "10.0.4.11:34101" }).waitFor()
      await check(page, `${colorScheme}: workers`)
      await page.close()
    }
  })
})
