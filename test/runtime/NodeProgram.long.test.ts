/** Programs as processes: the codes they end with, and what signals do. */
import { spawn } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { bundleOf } from "../support/bundles.js"

let program: string

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program, and sends it a signal once it has begun; as often as it takes if `repeated`. */
const run = (end: string, signal?: NodeJS.Signals, repeated = false) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [program, end], { stdio: ["ignore", "pipe", "pipe"] })
    const said = { stdout: "", stderr: "" }
    child.stderr.on("data", (bytes: Buffer) => {
      said.stderr += bytes.toString()
    })
    child.stdout.on("data", (bytes: Buffer) => {
      said.stdout += bytes.toString()
      if (signal === undefined || said.stdout !== "begun\n") return
      child.kill(signal)
      // Signals within a second are one.
      if (repeated) again = setInterval(() => child.kill(signal), 1100)
    })
    let again: NodeJS.Timeout | undefined
    child.on("close", (code) => {
      clearInterval(again)
      resolve({ code, ...said })
    })
  })

describe("a program that runMain runs", () => {
  beforeAll(async () => {
    program = await bundleOf("runtime/program")
  })

  it.each([
    ["success", 0],
    ["its own code", 3],
    ["failure", 1],
    ["defect", 1]
  ])("ends after %s with %i", async (end, code) => {
    const ended = await run(end)
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.stdout).toContain("cleaned up")
  })

  it("logs its failure", async () => {
    const { stderr, stdout } = await run("failure")
    expect(stdout + stderr).toContain("a failure")
  })

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "cleans up after %s, and ends with 130",
    async (signal) => {
      expect(await run("wait", signal)).toEqual({ code: 130, stdout: "begun\ncleaned up\n", stderr: "" })
    }
  )

  it("goes on after the first signal if it waits for it, and ends with 130", async () => {
    expect(await run("the signal", "SIGTERM")).toEqual({
      code: 130,
      stdout: "begun\ntold to end\ncleaned up\n",
      stderr: ""
    })
  })

  it("ends with its own code after a signal that it has waited for", async () => {
    expect(await run("the signal, and its own code", "SIGTERM")).toMatchObject({ code: 0 })
  })

  it("is interrupted by the second signal", async () => {
    expect(await run("the signal, and never ends", "SIGTERM", true)).toEqual({
      code: 130,
      stdout: "begun\ncleaned up\n",
      stderr: ""
    })
  })
})
