/**
 * Takes the picture of the terminal in `docs/images`: a real run in a pty, drawn by xterm.js in chromium. Other sizes than the
 * picture's are for looking at.
 *
 *     npx tsx scripts/terminalScreenshots.ts [folder] [columns] [rows]
 */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { emulator, folderOf } from "../test/cli/process.js"
import { open } from "../test/cli/terminal.js"
import { launch, write } from "./pictures.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const [images = `${root}docs/images`, columns = "80", rows = "24"] = process.argv.slice(2)
const size = { columns: Number(columns), rows: Number(rows) }

const args = ["translate", "shop.csv", "--column", "name", "--to", "de,fr,ja", "--price", "20"]

const things = ["kettle", "lamp", "garden chair", "rain jacket", "notebook", "bicycle bell", "wooden spoon"]
const kinds = ["A light", "A sturdy", "A folding", "A hand-made", "A waterproof", "A small"]

const products = Array.from({ length: 4000 }, (_, index) => {
  const thing = things[index % things.length]
  return `${index},${kinds[index % kinds.length]} ${thing} for every day (no. ${index})`
})

/** What the terminal has been sent in the middle of a run, and at its end. */
const record = Effect.gen(function* () {
  const { env } = yield* emulator(
    { latency: 400, maxConcurrent: 16 },
    { faults: [{ fault: "status", status: 503, path: "/v2/translate", probability: 0.04, times: "always" }] }
  )
  const folder = yield* folderOf({ "shop.csv": ["id,name", ...products].join("\n") })
  const session = yield* open([...args], { folder, env, size })
  yield* session.shows(/ja .* [4-6]\d %/)
  const running = session.bytes()
  yield* session.ended
  return [running, session.bytes()]
})

const theme = {
  background: "#0d1117",
  foreground: "#e6edf3",
  green: "#3fb950",
  cyan: "#39c5cf",
  red: "#ff7b72",
  yellow: "#d29922"
}

/** The page: a terminal for each recording. */
const draw = async (recordings: ReadonlyArray<string>) => {
  const browser = await launch()
  const page = await browser.newPage({ deviceScaleFactor: 1, viewport: { width: 1600, height: 1400 } })
  await page.setContent(
    `<body style="margin:0;background:${theme.background}"><div id="all" style="display:inline-block;padding:12px 20px"></div></body>`
  )
  await page.addStyleTag({ path: `${root}node_modules/@xterm/xterm/css/xterm.css` })
  await page.addStyleTag({ content: ".scrollbar { display: none }" })
  await page.addScriptTag({ path: `${root}node_modules/@xterm/xterm/lib/xterm.js` })
  for (const recording of recordings) {
    await page.evaluate(
      `new Promise((resolve) => {
        const element = document.createElement("div")
        element.style.margin = "12px 0"
        document.getElementById("all").append(element)
        const settings = ${JSON.stringify({ ...size, theme })}
        const terminal = new Terminal({
          cols: settings.columns, rows: 100, scrollback: 0, theme: settings.theme, fontFamily: "DejaVu Sans Mono", fontSize: 18
        })
        terminal.open(element)
        terminal.write(${JSON.stringify(recording)}, () => {
          const { active } = terminal.buffer
          let used = active.length
          while (active.getLine(used - 1).translateToString(true) === "") used--
          terminal.resize(settings.columns, Math.max(used, active.cursorY + 1))
          setTimeout(resolve, 500)
        })
      })`
    )
  }
  await write(browser, await page.locator("#all").screenshot(), `${images}/terminal.webp`)
  await browser.close()
}

mkdirSync(images, { recursive: true })
const recordings = await Effect.runPromise(Effect.scoped(record))
const typed = `$ effect-translate ${args.join(" ")}\r\n`
await draw(recordings.map((bytes) => typed + bytes))
