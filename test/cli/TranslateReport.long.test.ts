import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "effect-translate/emulator"
import { launch } from "../support/browser.js"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"
import { open } from "./reportBrowser.js"
import { dataOf } from "./reportPages.js"

const catalogue = (texts: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: texts }, (_, index) => [
        `key${index}`,
        `Save file ${index} of the workspace </script>`
      ])
    )
  )

const pageOf = (file: string) =>
  Effect.acquireRelease(Effect.promise(launch), (browser) => Effect.promise(() => browser.close())).pipe(
    Effect.flatMap((browser) => Effect.promise(() => open(browser, file)))
  )

describe("translate --report", () => {
  it.scopedLive(
    "says in one line that the page can't be written, before anything is sent",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf({ "en.json": catalogue(3), "notes.txt": "mine" })
        for (const [report, told] of [
          ["none/r.html", "its folder does not exist"],
          ["en.json", "is a source as well"],
          ["notes.txt", "is no report: it is not overwritten"]
        ] as const) {
          const { code, stderr, stdout } = yield* run(
            ["translate", "en.json", "--to", "de", "--report", report],
            { folder, env }
          )
          expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
          expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(told)])
        }
        expect(yield* billed).toBe(0)
        expect(readdirSync(folder)).toEqual(["en.json", "notes.txt"])
      }),
    processTimeout
  )

  it.scopedLive(
    "writes the page of the run, with failed texts and terms; without a key",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ faults: [Fault.poison("file 7 ")] })
        const folder = yield* folderOf({
          "en.json": catalogue(60),
          "terms.csv": "workspace,Arbeitsbereich,en,de\n"
        })
        const { code, stderr } = yield* run(
          [
            "translate",
            "en.json",
            "--from",
            "en",
            "--to",
            "de,fr",
            "--glossary",
            "terms.csv",
            "--price",
            "20",
            "--report",
            "r.html"
          ],
          { folder, env }
        )
        expect(code).toBe(1)
        expect(stderr).toContain("The report is in r.html.")
        expect(readFileSync(`${folder}/r.html`, "utf8")).not.toContain(env.LANGUAGE_SERVICE_KEY)
        const { complaints, page } = yield* pageOf(`${folder}/r.html`)
        const read = (locator: string) => Effect.promise(() => page.locator(locator).first().innerText())
        expect(yield* read("h1")).toBe("Some texts are not translated")
        expect(yield* read(".next")).toContain(
          "2 texts failed. They are listed in .effect-translate/failed.jsonl"
        )
        expect(yield* read(".found")).toBe("120 texts")
        expect(yield* read(".row")).toMatch(
          /Failed.*key7.*Save file 7 of the workspace <\/script>.*Bad request/s
        )
        yield* Effect.promise(() => page.getByRole("combobox", { name: "Language" }).selectOption("de"))
        yield* Effect.promise(() => page.getByRole("searchbox").fill("key8"))
        expect(yield* read(".row:first-child .side + .side .term")).toBe("Arbeitsbereich")
        expect(complaints).toEqual([])
      }),
    processTimeout
  )

  it.scopedLive(
    "writes the page of the run until Ctrl-C, and leaves no draft",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator({ latency: 300, maxConcurrent: 2 })
        const folder = yield* folderOf({ "en.json": catalogue(4000) })
        const {
          ended,
          kill,
          stdout: printed
        } = yield* start(["translate", "en.json", "--to", "de", "--report", "r.html", "--json"], {
          folder,
          env
        })
        // A few samples later than its first texts.
        yield* Effect.repeat(Effect.delay(Effect.sync(printed), "10 millis"), {
          until: (text) => /("type":"progress".*?"done":[1-9].*?){4}/s.test(text)
        })
        yield* kill("SIGINT")
        const { code, stdout } = yield* ended
        expect(code).toBe(130)
        const done = /"type":"result".*?"in":(\d+)/.exec(stdout)?.[1]
        expect(existsSync(`${folder}/r.html`)).toBe(true)
        const { report, samples } = dataOf(`${folder}/r.html`)
        expect(report.end.state).toBe("interrupted")
        expect(`${report.targets[0]!.in}`).toBe(done)
        expect(samples.length).toBeGreaterThan(2)
        expect(samples.at(-1)).toMatchObject({ done: Number(done), inUse: 0 })
        expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([])
      }),
    processTimeout
  )
})
