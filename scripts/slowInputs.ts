/**
 * Searches inputs that hang a run: files of each format, of 25 and 100 KB, of two repeated pieces, one behind the other and by turns. A byte
 * may take 50 µs of CPU. Names of formats as words search these only.
 */
import { Worker } from "node:worker_threads"
import { build } from "esbuild"

/** The pieces of a format that are repeated, and the text around them. */
interface Pieces {
  readonly before?: string
  readonly after?: string
  readonly pieces: ReadonlyArray<string>
}

const formats: Readonly<Record<string, Pieces>> = {
  markdown: {
    pieces: [
      "*a ",
      "b*",
      "_a ",
      "b_ ",
      "**a**",
      " ",
      "[a](",
      "[a]",
      "![a](",
      "](b)",
      "](a",
      "[a ",
      "]b",
      '[a](b "',
      "[",
      "]",
      "`",
      "``",
      "<a ",
      "<!--",
      "<?",
      "~~",
      "~a ",
      "&amp;",
      "\\*",
      "|a",
      "|-|-\n",
      "\n",
      "\n\n",
      "> ",
      "- a\n",
      "1. a\n",
      "    ",
      "\t",
      "# a\n",
      "```\n",
      "[^a]",
      "[a]: b\n",
      "https://a.b ",
      "a@b.c ",
      "$a$",
      "{{a}}",
      "{% a %}",
      ":a: ",
      "<b>",
      "</b>",
      "***",
      "---\n",
      "a",
      "{#a}",
      "::: a\n",
      "===\n",
      "- ",
      "1. ",
      "\n- ",
      "a\n",
      "\n> ",
      "\n    ",
      "- [ ] a\n"
    ]
  },
  mdx: {
    pieces: [
      "<A>",
      "</A>",
      "{a}",
      "{",
      "}",
      "*a ",
      "b*",
      "\n\n",
      "- a\n",
      "<A b={1} ",
      "import a from 'a'\n",
      "export const a = `",
      "{/* ",
      "`} ",
      "a: {b: 1},\n",
      "> ",
      "`",
      "- ",
      "1. a\n",
      "\n- ",
      "a\n",
      "\n",
      "<A>\n",
      "</A>\n",
      "{a}\n",
      "*/}",
      "](a",
      "|a",
      "|-|-\n",
      "<!--",
      "\t"
    ]
  },
  html: {
    before: "<p>",
    after: "</p>",
    pieces: [
      "<b>",
      "</b>",
      "<a ",
      "a=b ",
      "&amp;",
      "&",
      "<!--",
      "-->",
      "<p>",
      "</p>",
      "<script>",
      "<",
      "a",
      "\n",
      "<table>",
      "<tr>",
      "<td>",
      "<select>",
      "<b><p>",
      "</i>",
      "<![CDATA[",
      "<br>",
      '"',
      "<pre>",
      "<textarea>"
    ]
  },
  rails: {
    before: "en:\n",
    pieces: ["  a: b\n", "  - a\n", "  ? a\n", "  a: |\n    b\n", "#", "\n", "  a: 'b'\n"]
  },
  yaml: {
    pieces: [
      "a: b\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "? ",
      "&a ",
      "*a ",
      "|\n",
      "'",
      '"',
      "#",
      "\n",
      "  ",
      "a,",
      "!!str ",
      "- a\n",
      "%",
      "---\n",
      ": ",
      "a: |\n  b\n",
      "\\"
    ]
  },
  json: {
    before: "[",
    after: "1]",
    pieces: ["[", "]", "{", "}", '"a",', '"', "1,", "\\u0041", ":", "\n", " ", '{"a":1},', "//\n", "/*"]
  },
  xliff: {
    before: '<xliff version="1.2"><file source-language="en" datatype="a" original="a"><body>',
    after: "</body></file></xliff>",
    pieces: [
      "<trans-unit id='a'>",
      "<source>a</source>",
      "</trans-unit>",
      "<g id='1'>",
      "</g>",
      "<x id='1'/>",
      "&amp;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<group>",
      "a"
    ]
  },
  xml: {
    before: "<a>",
    after: "</a>",
    pieces: [
      "<b>",
      "</b>",
      "&amp;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<b a='b'",
      "<?a",
      "?>",
      "<!DOCTYPE",
      "\n",
      "a"
    ]
  },
  tmx: {
    before: '<tmx version="1.4"><header srclang="en"/><body>',
    after: "</body></tmx>",
    pieces: ["<tu>", "</tu>", "<tuv xml:lang='en'>", "</tuv>", "<seg>a</seg>", "<bpt i='1'>", "</bpt>", "a"]
  },
  "android-strings": {
    before: "<resources>",
    after: "</resources>",
    pieces: [
      "<string name='a'>b</string>",
      "<string name='a'>",
      "</string>",
      "<b>",
      "</b>",
      "%1$s",
      "\\n",
      "\\u0041",
      "<!--",
      "-->",
      '"',
      "'",
      "<plurals name='a'>",
      "</plurals>",
      "<item>a</item>",
      "\n"
    ]
  },
  "apple-strings": {
    pieces: ['"a" = "b";\n', '"', "a = b;\n", "/*", "*/", "//\n", "\\U0041", "%@", "\\", "\n", ";"]
  },
  po: {
    pieces: [
      'msgid "a"\n',
      'msgstr "b"\n',
      '"c"\n',
      "# a\n",
      "#, fuzzy\n",
      "\n",
      "#~ a\n",
      'msgid_plural "a"\n',
      'msgstr[0] "a"\n',
      "\\n",
      "%s",
      '"',
      'msgctxt "a"\n',
      "#| a\n"
    ]
  },
  properties: {
    pieces: ["a=b\n", "a = \\\n", "\\u0041", "# a\n", "\n", "{0}", "\\", "a", "=", ":", " ", "'"]
  },
  srt: {
    pieces: [
      "1\n00:00:01,000 --> 00:00:02,000\na\n\n",
      "1\n",
      "00:00:01,000 --> 00:00:02,000\n",
      "a\n",
      "\n",
      "<i>",
      "</i>",
      "{\\an8}",
      "a. ",
      "- a\n",
      "..."
    ]
  },
  webvtt: {
    before: "WEBVTT\n\n",
    pieces: [
      "00:01.000 --> 00:02.000\na\n\n",
      "00:01.000 --> 00:02.000\n",
      "a\n",
      "\n",
      "<c>",
      "</c>",
      "<v A>",
      "NOTE a\n",
      "&amp;",
      "<00:01.000>",
      "a. "
    ]
  },
  lines: { pieces: ["a", "\n", " ", "\r", "{a}", "<b>", "%s"] },
  paragraphs: { pieces: ["a", "\n", " ", "\n\n", "a. ", "\r"] },
  csv: { before: "a,b\n", pieces: ["a,b\n", '"', ",", "\n", '""', '"a",', "\r", " "] },
  jsonl: { pieces: ['{"a":"b"}\n', "[", "{", '"', "\n", '{"a":', "}"] },
  arb: {
    before: "{",
    after: '"z":"b"}',
    pieces: ['"a":"{a}",', '"a":"b",', '"@a":{},', '"a":"{a, plural, other{', '}}",', '"a":"{', "}", "'"]
  },
  formatjs: {
    before: "{",
    after: '"z":"b"}',
    pieces: ['"a":"b",', '"a":{"defaultMessage":"b"},', "{", "}", "<b>", "</b>"]
  },
  i18next: {
    before: "{",
    after: '"z":"b"}',
    pieces: ['"a":"b",', '"a_one":"b",', '"a":{', "},", "{{a}}", "$t(a)", '"a_other":"b",']
  },
  xcstrings: {
    before: '{"sourceLanguage":"en","strings":{',
    after: '"z":{}},"version":"1.0"}',
    pieces: ['"a":{},', '"a":{"localizations":{}},', "%@", "{", "}", '"%lld a":{},']
  },
  "chrome-messages": {
    before: "{",
    after: '"z":{"message":"b"}}',
    pieces: ['"a":{"message":"b"},', "$a$", "{", "}"]
  }
}

const smallBytes = 25_000
const largeBytes = 100_000

/** Bounds, in microseconds of CPU for each byte: above the first a pair is tried in the larger size, above the second it is a finding. */
const suspicious = 8
const bound = 50

/** Where a file is given up, in milliseconds. */
const patience = 60_000

const bundle = "node_modules/.cache/effect-translate/slowInputs.mjs"

const worker = `
import { parentPort } from "node:worker_threads"
import * as Effect from "effect/Effect"
import { Formats } from "effect-translate/formats"
import { rewriteBytes } from "./test/format/formats.js"
const all = [...Formats.make({ columns: ["a"] }), ...Formats.make({ columns: ["a"], select: ["a"] })]
parentPort.on("message", ({ name, text }) => {
  const format = all.filter((format) => format.name === name).at(name === "json" || name === "yaml" ? 0 : -1)
  const before = process.cpuUsage().user
  Effect.runPromise(Effect.exit(rewriteBytes(format, text, (unit) => unit.translation ?? unit.text))).then((exit) =>
    parentPort.postMessage({
      micros: process.cpuUsage().user - before,
      isDefect: exit._tag === "Failure" && exit.cause._tag === "Die"
    })
  )
})`

interface Found {
  readonly micros: number
  readonly isDefect: boolean
}

let running: Worker | undefined

const read = (name: string, text: string): Promise<Found> =>
  new Promise((resolve, reject) => {
    const current = running ?? new Worker(`./${bundle}`)
    running = current
    const giveUp = () => {
      running = undefined
      void current.terminate()
      resolve({ micros: Number.POSITIVE_INFINITY, isDefect: false })
    }
    const timer = setTimeout(giveUp, patience)
    current.removeAllListeners()
    current.once("error", reject)
    current.once("message", (found: Found) => {
      clearTimeout(timer)
      resolve(found)
    })
    current.postMessage({ name, text })
  })

await build({
  stdin: { contents: worker, resolveDir: ".", loader: "ts" },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: bundle,
  mainFields: ["module", "main"],
  // Of packages that are CommonJS.
  banner: {
    js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)'
  },
  logLevel: "error"
})

const asked = process.argv.slice(2)
const faults: Array<string> = []

for (const [name, { after = "", before = "", pieces }] of Object.entries(formats)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  await read(name, before + after)
  for (const first of pieces) {
    for (const second of pieces) {
      for (const order of ["one behind the other", "by turns"] as const) {
        const textOf = (bytes: number) => {
          const times = Math.floor(bytes / (first.length + second.length))
          const content =
            order === "by turns" ? (first + second).repeat(times) : first.repeat(times) + second.repeat(times)
          return before + content + after
        }
        const what = `${name}: ${JSON.stringify([first, second])} ${order}`
        const small = await read(name, textOf(smallBytes))
        if (small.isDefect) faults.push(`${what}: a defect`)
        if (small.micros / smallBytes < suspicious) continue
        const large = await read(name, textOf(largeBytes))
        const each = Math.round(large.micros / largeBytes)
        if (each > bound)
          faults.push(`${what}: ${each} µs a byte, after ${Math.round(small.micros / smallBytes)}`)
      }
    }
  }
  console.log(`${name}: ${pieces.length ** 2 * 2} files`)
}

await running?.terminate()
console.log(faults.length === 0 ? "Nothing hangs." : faults.join("\n"))
process.exitCode = faults.length === 0 ? 0 : 1
