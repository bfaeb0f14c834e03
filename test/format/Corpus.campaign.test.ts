import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folder, prepare } from "../../scripts/formatCorpus.js"
import { check } from "./corpusCheck.js"
import { kinds } from "./corpusKinds.js"
import { refused } from "./refusedFiles.js"

const filesIn = (path: string): ReadonlyArray<string> =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : []

/** Formats of which npm and Debian have fewer than ten files, and how many they have. */
const few: Readonly<Record<string, number>> = { arb: 0, jsonl: 0, tmx: 1, xcstrings: 0 }

/** vitest asks its workers every minute whether they still run. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

let missing: ReadonlyArray<string> = []
let total = 0

beforeAll(async () => {
  missing = await prepare(kinds.map((kind) => kind.folder))
  for (const source of missing) console.warn(`The corpus goes without ${source}`)
})

afterAll(() => console.log(`corpus: ${total} files in all`))

describe("Files that others wrote", () => {
  for (const kind of kinds) {
    const name = kind.folder
    const format = kind.format("").name
    it(`${name} as ${format}: come out as they were, and hold translations`, async ({ skip }) => {
      const files = filesIn(join(folder, name))
      if (files.length === 0) skip("no package with such files could be had")
      const faults: Array<string> = []
      const unread: Array<string> = []
      const counts = { files: 0, units: 0, identical: 0, writtenAnew: 0, refused: 0 }
      for (const file of files) {
        await pause()
        const path = relative(folder, file)
        const result = await Effect.runPromise(Effect.either(check(kind, path, readFileSync(file))))
        counts.files++
        const isRefused = Object.keys(refused).some((end) => path.endsWith(end))
        if (Either.isLeft(result)) {
          counts.refused++
          if (!isRefused) faults.push(`refused: ${result.left.message}`)
          continue
        }
        const finding = result.right
        if (isRefused) faults.push(`${path}: is not refused any more`)
        counts.units += finding.units
        if (finding.identical) counts.identical++
        if (finding.writtenAnew) counts.writtenAnew++
        if (finding.unread !== undefined) unread.push(`${path}: ${finding.unread}`)
        faults.push(...finding.faults.map((fault) => `${path}: ${fault}`))
      }
      total += counts.files
      console.log(
        `${name} as ${format}: ${counts.files} files, ${counts.units} units; ${counts.identical} identical untouched, ${counts.writtenAnew} written anew, ${counts.refused} refused, ${unread.length} that another parser cannot open`
      )
      if (process.env.CORPUS_VERBOSE !== undefined) console.log(unread.slice(0, 20).join("\n"))
      expect(faults).toStrictEqual([])
    })
  }

  it("pass msgfmt --check in their new language, if they did before", async ({ skip }) => {
    const po = kinds.find((kind) => kind.folder === "po")
    if (po === undefined || spawnSync("msgfmt", ["--version"]).status !== 0)
      return skip("gettext is not installed")
    const msgfmt = (file: Uint8Array) =>
      spawnSync("msgfmt", ["--check", "--output-file=/dev/null", "-"], { input: file, encoding: "utf8" })
    const faults: Array<string> = []
    let count = 0
    for (const file of filesIn(join(folder, "po"))) {
      await pause()
      const bytes = readFileSync(file)
      if (msgfmt(bytes).status !== 0) continue
      const result = await Effect.runPromise(Effect.either(check(po, file, bytes)))
      if (Either.isLeft(result)) continue
      count++
      const { status, stderr } = msgfmt(result.right.translated)
      if (status !== 0) faults.push(`${relative(folder, file)}: ${stderr.split("\n")[0]}`)
    }
    console.log(`msgfmt --check: ${count} files`)
    expect(faults).toStrictEqual([])
  })

  it.each([...new Set(kinds.map((kind) => kind.folder))])("are ten and more for %s", (name) => {
    if (missing.length > 0) return
    const { length } = filesIn(join(folder, name))
    if (name in few) expect(length).toBe(few[name])
    else expect(length).toBeGreaterThanOrEqual(10)
  })

  it("are 500 and more", ({ skip }) => {
    if (missing.length > 0) skip(`without ${missing.join("; ")}`)
    expect(total).toBeGreaterThanOrEqual(500)
  })
})
