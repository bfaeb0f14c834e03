/** Processes that translate files: ended by a signal, and without the right to write. */
import { fork } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle } from "../support/bundles.js"

const folder = mkdtempSync(`${tmpdir()}/signals-`)
/** Not beside the packages: somebody without rights may not read it there. */
const program = `${folder}/test/job/crash/files.mjs`

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(`${path}/${name}`).isFile())
    .sort()

describe("a process that translates files", () => {
  beforeAll(() => bundle(["test/job/crash/files.ts"], folder))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`leaves no temporary file after ${signal}`, async () => {
      const work = mkdtempSync(`${folder}/work-`)
      const rows = Array.from({ length: 5000 }, (_, row) => `${row},Mug ${row}`)
      writeFileSync(`${work}/a.csv`, `id,title\n${rows.join("\n")}\n`)
      writeFileSync(`${work}/a.keyed`, rows.map((_, row) => `k${row} = Mug ${row}\n`).join(""))
      const child = fork(program, [work], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      const drafts = () => filesBelow(work).filter((name) => name.endsWith(".draft"))
      while (drafts().length < 2 && child.exitCode === null) await pause(5)
      expect(drafts()).toHaveLength(2)
      child.kill(signal)
      await ended
      expect(filesBelow(work)).toEqual(["a.csv", "a.keyed"])
    })
  }

  it("gives advice about a folder that it can't write, and sends nothing", async () => {
    const work = mkdtempSync(`${folder}/work-`)
    writeFileSync(`${work}/a.csv`, "id,title\n1,Mug\n")
    writeFileSync(`${work}/a.keyed`, "a = A\n")
    for (const path of [folder, work]) chmodSync(path, 0o555)
    // To root, every folder can be written.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const child = fork(program, [work], { stdio: ["ignore", "inherit", "inherit", "ipc"], ...nobody })
    const messages: Array<unknown> = []
    child.on("message", (message) => messages.push(message))
    await new Promise((resolve) => child.once("close", resolve))
    for (const path of [folder, work]) chmodSync(path, 0o755)
    expect(messages).toEqual([expect.stringMatching(/^OutputUnusable: .*: make its folder writable/)])
    expect(filesBelow(work)).toEqual(["a.csv", "a.keyed"])
  })
})
