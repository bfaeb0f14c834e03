/** A process that translates files and is ended by a signal leaves no temporary file. */
import { fork } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle, processTimeout, root } from "../examples/process.js"

const folder = mkdtempSync(`${tmpdir()}/signals-`)
const program = `${folder}/files.mjs`

const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(`${path}/${name}`).isFile())
    .sort()

describe("a process that translates files", () => {
  beforeAll(() => Effect.runPromise(bundle(`${root}/test/job/crash/files.ts`, program)), processTimeout)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`leaves no temporary file after ${signal}`, { timeout: processTimeout }, async () => {
      const work = mkdtempSync(`${folder}/work-`)
      const rows = Array.from({ length: 5000 }, (_, row) => `${row},Mug ${row}`)
      writeFileSync(`${work}/a.csv`, `id,title\n${rows.join("\n")}\n`)
      writeFileSync(`${work}/a.keyed`, rows.map((_, row) => `k${row} = Mug ${row}\n`).join(""))
      const child = fork(program, [work], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
      let sent = 0
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      await new Promise<void>((resolve) => {
        child.on("message", () => {
          if (++sent === 30) resolve()
        })
        child.once("exit", () => resolve())
      })
      // Drafts are there by then.
      expect(filesBelow(work).filter((name) => name.endsWith(".part"))).not.toEqual([])
      child.kill(signal)
      await ended
      expect(filesBelow(work)).toEqual(["a.csv", "a.keyed"])
    })
  }
})
