import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type * as JobSource from "../../src/job/JobSource.js"
import { launch } from "../support/browser.js"
import { isCampaign, runs } from "../support/long.js"
import { open } from "./reportBrowser.js"
import { write } from "./reportPages.js"
import { sample } from "./reportSample.js"

const lost = { _tag: "PlaceholderLost", message: "1 of 1 is missing. Keep the source." }

const unit = (key: string, more: Partial<JobSource.UnitOutcome> = {}): JobSource.UnitOutcome => ({
  source: "app.en.json",
  key,
  line: 1,
  targetLang: "de",
  text: `Source of ${key}`,
  translation: `Quelle von ${key}`,
  state: "translated",
  ...more
})

const failed = (key: string, more: Partial<JobSource.UnitOutcome> = {}) =>
  unit(key, { state: "failed", translation: undefined, error: lost, ...more })

const many = Array.from({ length: 50_000 }, (_, index) =>
  (index % 1000 === 7 ? failed : unit)(`menu.items.${index}.title`, {
    source: `locales/en/part${index % 7}.json`,
    targetLang: ["de", "fr", "ja"][index % 3]!,
    text: `Save the file {name} number ${index} <b>now</b>, and then go on with what you did before, if you wish.`
  })
)

describe("the page of a report", () => {
  let browser: Browser
  const folder = mkdtempSync(`${tmpdir()}/report-`)
  const sampled = `${folder}/sample.html`

  beforeAll(async () => {
    browser = await launch()
    await write(sampled, sample)
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const found = (page: Page) => page.getByRole("status").textContent()
  const keys = (page: Page) => page.locator(".row .key").allTextContents()

  it("lists failed texts first, with the reason, then outdated ones, then the others in their order", async () => {
    const file = `${folder}/order.html`
    await write(file, {
      units: [unit("a"), failed("b"), unit("c", { state: "cached" }), failed("d"), unit("e")],
      outputs: [
        {
          source: "app.en.json",
          targetLang: "de",
          stale: [
            { key: "e", text: "Source of e", translation: "Von Hand" },
            { key: "f", text: "Source of f", translation: "Auch von Hand" }
          ]
        }
      ]
    })
    const { complaints, page } = await open(browser, file)
    expect(await keys(page)).toEqual(["b", "d", "e", "f", "a", "c"])
    const rows = page.getByRole("article")
    expect(await rows.nth(0).innerText()).toMatch(/Failed.*Source of b.*Placeholder lost 1 of 1 is missing/s)
    expect(await rows.nth(2).innerText()).toMatch(/Outdated.*Source of e.*Von Hand/s)
    expect(await rows.nth(4).innerText()).toMatch(/Translated.*app\.en\.json:1.*Source of a.*Quelle von a/s)
    expect(await page.locator(".why").innerText()).toMatch(
      /Show 2 texts.*Placeholder lost 1 of 1 is missing/s
    )
    expect(complaints).toEqual([])
  })

  it("lists flagged translations after outdated ones, gives the reason, and marks the places in both texts", async () => {
    const file = `${folder}/flagged.html`
    const finding = (explanation: string, source: number[], translation: number[]) => ({
      check: "numbers",
      severity: "warning" as const,
      explanation,
      source: [{ start: source[0]!, end: source[1]! }],
      translation: [{ start: translation[0]!, end: translation[1]! }]
    })
    await write(file, {
      units: [
        unit("a"),
        unit("b", {
          text: "Until 2026 <b>only</b>",
          translation: "Nur bis 2062",
          findings: [finding("A number was changed.", [6, 10], [8, 12])]
        }),
        failed("c")
      ]
    })
    const { complaints, page } = await open(browser, file)
    expect(await keys(page)).toEqual(["c", "b", "a"])
    const row = page.getByRole("article").nth(1)
    expect(await row.innerText()).toMatch(/Looks wrong.*Until 2026.*A number was changed\..*Nur bis 2062/s)
    expect(await row.locator(".finding").allTextContents()).toEqual(["2026", "2062"])
    expect(await row.locator(".finding").first().getAttribute("title")).toBe("A number was changed.")
    await page.getByRole("button", { name: "Looks wrong 1" }).click()
    expect(await keys(page)).toEqual(["b"])
    expect(complaints).toEqual([])
  })

  it("tells reasons that differ in the id of a request once, and at most five at first", async () => {
    const file = `${folder}/reasons.html`
    const failedBy = (key: string, _tag: string, message: string) => failed(key, { error: { _tag, message } })
    await write(file, {
      units: [
        failedBy("a", "BadRequest", "Refused, status 400. Trace id: 00000000000000000000000000000001."),
        ...Array.from({ length: 6 }, (_, index) =>
          failedBy(`c${index}`, `Other${"abcdef"[index]}`, "Wrong.")
        ),
        failedBy("b", "BadRequest", "Refused, status 400. Trace id: 0000000000000000000000000000002f.")
      ]
    })
    const { page } = await open(browser, file)
    expect(await page.locator(".why").innerText()).toMatch(
      /Show 2 texts\s+Bad request Refused, status 400\.\n/
    )
    expect(await page.locator(".why li:visible").count()).toBe(5)
    await page.getByText("2 more reasons").click()
    expect(await page.locator(".why li:visible").count()).toBe(7)
    await page.getByRole("button", { name: "Show 2 texts" }).click()
    expect(await keys(page)).toEqual(["a", "b"])
  })

  it("marks placeholders, terms of the glossary as words, and hits", async () => {
    const file = `${folder}/marks.html`
    await write(file, {
      units: [
        unit("a", {
          text: "Invoice {id} of the invoices: 5 % <b>off</b>",
          translation: "Rechnung {id} der Rechnungen: 5 % <b>Rabatt</b>"
        })
      ],
      glossaries: [{ targetLang: "DE", entries: { invoice: "Rechnung", unused: "Rabatt" } }]
    })
    const { page } = await open(browser, file)
    expect(await page.locator(".placeholder").allTextContents()).toEqual([
      "{id}",
      "<b>",
      "</b>",
      "{id}",
      "<b>",
      "</b>"
    ])
    expect(await page.locator(".term").allTextContents()).toEqual(["Invoice", "Rechnung"])
    await page.getByRole("searchbox").fill("RECHNUNG")
    expect(await page.locator(".hit").allTextContents()).toEqual(["Rechnung", "Rechnung"])
  })

  it("shows hostile texts as texts, wherever they are", async () => {
    const hostile = [
      "</script><script>window.hacked = 1</script>",
      "<!--<script>",
      "]]><img src=x onerror='window.hacked = 1'>",
      '"><svg onload="window.hacked = 1">',
      "{{constructor.constructor('window.hacked = 1')()}}",
      "{name} </title></style></textarea> &lt;b&gt; &amp;",
      `${"W".repeat(900)}`,
      "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301",
      "שלום עולם, אבג {name}",
      "\\u003c/script> $& $1 __proto__"
    ]
    const file = `${folder}/hostile.html`
    await write(file, {
      units: hostile.map((text, index) =>
        unit(`${index} ${text}`, {
          source: `${text}.json`,
          text,
          translation: text,
          ...(index % 2 === 0 ? { state: "failed" as const, error: { _tag: text, message: text } } : {})
        })
      ),
      glossaries: [{ targetLang: "de", entries: { "</script>": "<script>", "a(b": "[", __proto__: "x" } }],
      end: { state: "failed", error: { tag: hostile[0]!, message: hostile[2]! }, next: hostile[1]! }
    })
    const { complaints, page } = await open(browser, file, { width: 360 })
    for (const [index, text] of hostile.entries()) {
      await page.getByRole("searchbox").fill(`${index} ${text.slice(0, 200)}`)
      const row = page.getByRole("article")
      expect(await row.locator(".key").textContent()).toBe(`${index} ${text}`)
      expect(await row.locator(".text").first().textContent()).toBe(text)
    }
    for (const tab of ["Languages", "Files", "Timeline"]) await page.getByRole("tab", { name: tab }).click()
    expect(
      await page.evaluate(() => [
        Object(window).hacked,
        document.querySelectorAll("main script, svg, img").length
      ])
    ).toEqual([undefined, 0])
    expect(complaints).toEqual([])
  })

  it("shows characters that can't be seen, and keeps directions apart", async () => {
    const file = `${folder}/unseen.html`
    const texts = [
      "user\u202Etxt.exe",
      "line\u2028break",
      "half \uD83D of it",
      "zero\u200Bwidth\u0000\u001B[31m",
      "\uFEFFbom"
    ]
    await write(file, { units: texts.map((text, index) => unit(`${index}`, { text, translation: "שלום" })) })
    const { complaints, page } = await open(browser, file)
    expect(await page.locator(".side:first-of-type .text").allTextContents()).toEqual([
      "userU+202Etxt.exe",
      "lineU+2028break",
      "half U+D83D of it",
      "zeroU+200BwidthU+0000U+001B[31m",
      "U+FEFFbom"
    ])
    expect(await page.locator(".character").first().getAttribute("title")).toBe("right-to-left override")
    const translation = page.getByText("שלום").first()
    expect(
      await translation.evaluate((found) => [
        found.getAttribute("dir"),
        found.getAttribute("lang"),
        getComputedStyle(found).direction
      ])
    ).toEqual(["auto", "de", "rtl"])
    expect(complaints).toEqual([])
  })

  it("searches, filters by state, language, file and reason, and says how many are found", async () => {
    const { complaints, page } = await open(browser, sampled)
    expect(await found(page)).toBe("3,132 texts")
    const search = page.getByRole("searchbox")
    await search.fill("INVITE PEOPLE")
    expect(await found(page)).toBe("210 of 3,132 texts")
    await page.getByRole("combobox", { name: "Language" }).selectOption("ja")
    expect(await found(page)).toBe("70 of 3,132 texts")
    await page.getByRole("button", { name: /^Reused/ }).click()
    expect(await found(page)).toBe("17 of 3,132 texts")
    expect(await page.getByRole("button", { name: /^Reused/ }).getAttribute("aria-pressed")).toBe("true")
    await page.getByRole("combobox", { name: "File" }).selectOption("products.en.csv")
    expect(await found(page)).toBe("No text is found")
    await search.fill("")
    await page.getByRole("button", { name: /^All/ }).click()
    await page.getByRole("combobox", { name: "Language" }).selectOption("")
    await page.getByRole("combobox", { name: "File" }).selectOption("")
    await page.getByRole("button", { name: "Show 2 texts" }).click()
    expect(await keys(page)).toEqual(["billing.next", "view6.billing.next"])
    await page.getByRole("button", { name: "No longer only: Placeholder lost" }).click()
    expect(await found(page)).toBe("3,132 texts")
    expect(complaints).toEqual([])
  })

  it("is used by keyboard: / searches, arrows go through texts and tabs, and the focus is seen", async () => {
    const { page } = await open(browser, sampled)
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document
        const { bottom, top } = activeElement!.getBoundingClientRect()
        return {
          place: Number(activeElement!.getAttribute("aria-posinset")),
          isInSight: top >= 0 && bottom <= window.innerHeight,
          outline: getComputedStyle(activeElement!).outlineStyle
        }
      })
    await page.getByRole("tab", { name: "Texts" }).focus()
    await page.keyboard.press("ArrowRight")
    expect(await page.getByRole("tab", { name: "Languages" }).getAttribute("aria-selected")).toBe("true")
    expect(await page.getByRole("tabpanel").count()).toBe(1)
    await page.keyboard.press("/")
    expect(await page.getByRole("searchbox").evaluate((found) => found === document.activeElement)).toBe(true)
    await page.keyboard.press("ArrowDown")
    await expect.poll(focused).toEqual({ place: 1, isInSight: true, outline: "solid" })
    for (let time = 0; time < 12; time++) await page.keyboard.press("ArrowDown")
    await expect.poll(focused).toEqual({ place: 13, isInSight: true, outline: "solid" })
    await page.keyboard.press("End")
    await expect.poll(focused).toEqual({ place: 3132, isInSight: true, outline: "solid" })
    await page.keyboard.press("ArrowUp")
    await expect.poll(focused).toMatchObject({ place: 3131, isInSight: true })
    await page.keyboard.press("Home")
    await expect.poll(focused).toMatchObject({ place: 1, isInSight: true })
    await page.keyboard.press("PageDown")
    await expect.poll(focused).toMatchObject({ place: 11, isInSight: true })
    // One stop for the whole list.
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement!.closest(".list") === null)).toBe(true)
  })

  it("has the width of a phone, in each part", async () => {
    const { page } = await open(browser, sampled, { width: 360 })
    for (const tab of ["Texts", "Languages", "Files", "Timeline"]) {
      await page.getByRole("tab", { name: tab }).click()
      expect({ tab, width: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({
        tab,
        width: 360
      })
    }
  })

  it("is dark where that is preferred, and changes by a switch", async () => {
    const { page } = await open(browser, sampled, { colorScheme: "dark" })
    const brightness = () =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)![0]))
    expect(await brightness()).toBeLessThan(50)
    await page.getByRole("button", { name: "Change to light colours" }).click()
    expect(await brightness()).toBeGreaterThan(200)
    await page.getByRole("button", { name: "Change to dark colours" }).click()
    expect(await brightness()).toBeLessThan(50)
  })

  it("shows characters and cost of each language, texts that may be paid twice, outputs, and the timeline as plots and as a table", async () => {
    const { complaints, page } = await open(browser, sampled)
    await page.getByRole("tab", { name: "Languages" }).click()
    const figures = page.getByRole("table", { name: "Each language in figures" })
    expect((await figures.getByRole("row").nth(2).innerText()).split(/\s*\t\s*/)).toEqual(
      expect.arrayContaining(["ja", "1,044", "34,705 to 35,117", "0.69 to 0.70", "Timed out: 1"])
    )
    expect(await page.getByRole("table", { name: "Since this job began" }).innerText()).toMatch(
      /its answer was lost\.\s+1\s+412/
    )
    await page.getByRole("tab", { name: "Files" }).click()
    const outputs = page.getByRole("table", { name: "9 outputs" })
    expect(await outputs.getByRole("row").nth(1).innerText()).toMatch(
      /locales\/ja\/app\.json\s+Withheld\s+ja/
    )
    await page.getByRole("tab", { name: "Timeline" }).click()
    const plot = page.getByRole("img", { name: "Requests in flight. The limit was 8 to 14" })
    expect(
      await plot.locator("canvas").evaluate((canvas: HTMLCanvasElement) =>
        canvas
          .getContext("2d")!
          .getImageData(0, 0, canvas.width, canvas.height)
          .data.some((value) => value > 0)
      )
    ).toBe(true)
    await page.getByText("The same as a table").click()
    expect(
      await page.getByRole("table", { name: "How the job went" }).getByRole("row").count()
    ).toBeGreaterThan(40)
    await page.getByRole("tab", { name: "Files" }).click()
    await outputs.getByRole("button", { name: "products.ar.csv" }).click()
    expect(await found(page)).toBe("600 of 3,132 texts")
    expect(complaints).toEqual([])
  })

  it("has nothing that axe finds wrong, in each part, and in the dark", async () => {
    for (const [colorScheme, tabs] of [
      ["light", ["Texts", "Languages", "Files", "Timeline"]],
      ["dark", ["Texts"]]
    ] as const) {
      const { page } = await open(browser, sampled, { colorScheme })
      await page.evaluate(axe.source)
      for (const tab of tabs) {
        await page.getByRole("tab", { name: tab }).click()
        const violations = await page.evaluate(async () => {
          const result = await (window as unknown as { axe: typeof axe }).axe.run()
          return result.violations.map(
            ({ id, nodes: [first] }) => `${id}: ${first!.html} ${first!.failureSummary}`
          )
        })
        expect({ colorScheme, tab, violations }).toEqual({ colorScheme, tab, violations: [] })
      }
      await page.close()
    }
  })

  it("prints all texts that are found, without buttons", async () => {
    const { page } = await open(browser, sampled)
    await page.getByRole("searchbox").fill("Save changes")
    await page.emulateMedia({ media: "print" })
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")))
    expect(await page.getByRole("article").count()).toBe(210)
    expect(await page.getByRole("searchbox").isVisible()).toBe(false)
    expect(await page.getByRole("table", { name: "9 outputs" }).isVisible()).toBe(true)
    expect(
      await page
        .getByRole("article")
        .nth(209)
        .evaluate((last) => getComputedStyle(last).position)
    ).toBe("static")
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")))
    expect(await page.getByRole("article").count()).toBeLessThan(40)
  })

  it("opens 50,000 texts with few of them in the page, and searches them; in a campaign within 2 seconds, and 100 ms a key", async () => {
    const file = `${folder}/many.html`
    await write(file, { units: many })
    const times: Array<readonly [opened: number, key: number]> = []
    const isQuick = ([opened, key]: readonly [number, number]) => opened < 2000 && key < 100
    // Other programs of the machine have a part in it.
    for (let round = 0; round < runs(6, 1) && !times.some(isQuick); round++) {
      const began = performance.now()
      const { complaints, page } = await open(browser, file)
      await page.getByRole("article").first().waitFor()
      const opened = performance.now() - began
      expect(await found(page)).toBe("50,000 texts")
      expect(await page.getByRole("article").count()).toBeLessThan(40)
      const keys = await page.evaluate(() => {
        const input = document.querySelector("input")!
        return ["n", "nu", "num", "number 4", "number 49", "number 499", "number 4999", "n"].map((value) => {
          const began = performance.now()
          input.value = value
          input.dispatchEvent(new Event("input"))
          document.body.getBoundingClientRect()
          return performance.now() - began
        })
      })
      times.push([opened, keys.sort((first, second) => first - second)[keys.length >> 1]!])
      await page.getByRole("searchbox").fill("number 4999")
      expect(await found(page)).toBe("11 of 50,000 texts")
      expect(complaints).toEqual([])
      await page.close()
    }
    if (isCampaign) expect(times.at(-1)).toSatisfy(isQuick)
  })
})
