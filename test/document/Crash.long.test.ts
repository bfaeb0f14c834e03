/** A batch of 60 files into 2 languages, killed three times at random moments: what was paid, and what it ends with. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { ServiceKind } from "effect-translate"
import { Documents } from "effect-translate/documents"
import type { Meter } from "effect-translate/emulator"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as documents from "../emulator/documents.js"
import { bundleOf } from "../support/bundles.js"
import { runs } from "../support/long.js"

const folder = mkdtempSync(`${tmpdir()}/batch-`)
const children = new Set<ChildProcess>()

/** Starts a program of this test; what it prints on stdout is collected. */
const start = (file: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
  const child = fork(file, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout?.on("data", (part) => {
    stdout += part
  })
  child.stderr?.on("data", (part) => {
    stderr += part
  })
  children.add(child)
  const ended = new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.once("close", (code, signal) => {
        children.delete(child)
        resolve({ code, signal, stdout, stderr })
      })
    }
  )
  return { child, ended }
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const messageOf = <A>(child: ChildProcess, ask?: string): Promise<A> =>
  new Promise((resolve, reject) => {
    const end = () => reject(new Error("it has ended without a message"))
    child.once("exit", end)
    child.once("message", (message) => {
      child.off("exit", end)
      resolve(message as A)
    })
    if (ask !== undefined) child.send(ask)
  })

afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

interface Report {
  readonly in: number
  readonly translated: number
  readonly skipped: number
  readonly failed: ReadonlyArray<string>
  readonly ambiguous: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
}

/** The file of a type, unlike all others: of equal files one alone is uploaded. */
const unique = (type: string, index: number): Uint8Array => {
  const bytes = documents.files[`a.${type}`]!
  switch (type) {
    case "docx":
    case "pptx":
    case "xlsx": {
      const { names, part } = documents.unzip(bytes)
      const parts = Object.fromEntries(names.map((name) => [name, part(name)]))
      return documents.zip({ ...parts, "number.txt": String(index) })
    }
    case "pdf":
      return Buffer.concat([bytes, Buffer.from("\n".repeat(index))])
    case "doc":
    case "png":
    case "jpg":
    case "jpeg":
      return Uint8Array.of(...bytes, index)
    default:
      return documents.bytes(documents.text(bytes).replace("Hello", `Hello ${index}`))
  }
}

const sources = Array.from({ length: 60 }, (_, index) => {
  const { documentTypes } = ServiceKind.specification
  const type = documentTypes[index % documentTypes.length]!
  return [`${String(index).padStart(2, "0")}.${type}`, unique(type, index)] as const
})

/** Opens a file as readers of its type do, and answers the translation found in it; none for what the emulator leaves. */
const read = (type: string, bytes: Uint8Array): string | undefined => {
  const startsWith = (...magic: ReadonlyArray<number>) =>
    expect(Array.from(bytes.subarray(0, magic.length))).toEqual(magic)
  switch (type) {
    case "docx":
    case "pptx":
    case "xlsx":
      expect(documents.unzip(bytes).names).toContain("[Content_Types].xml")
      return undefined
    case "xlf":
    case "xliff":
      return documents.textsOf(documents.xml(bytes), "target").join("")
    case "htm":
    case "html":
      return /^<p>(.*)<\/p>$/.exec(documents.text(bytes))?.[1] ?? ""
    case "srt":
      return documents.text(bytes).trim().split("\n").at(-1)
    case "txt":
      return documents.text(bytes)
    case "pdf":
      startsWith(...Buffer.from("%PDF-"))
      expect(documents.text(bytes)).toMatch(/%%EOF\s*$/)
      return undefined
    case "png":
      startsWith(0x89, 0x50, 0x4e, 0x47)
      return undefined
    case "jpg":
    case "jpeg":
      startsWith(0xff, 0xd8, 0xff)
      return undefined
    default:
      throw new Error(`No reader of ${type}`)
  }
}

describe("a batch of 60 files of all types into 2 languages, killed in the middle", () => {
  let batch: string
  let emulator: ChildProcess
  let env: Record<string, string>

  beforeAll(async () => {
    for (const name of ["in", "out"]) mkdirSync(`${folder}/${name}`)
    for (const [name, bytes] of sources) writeFileSync(`${folder}/in/${name}`, bytes)
    batch = await bundleOf("document/crash/batch")
    emulator = start(await bundleOf("document/crash/emulator"), []).child
    const { url } = await messageOf<{ readonly url: string }>(emulator)
    env = { LANGUAGE_SERVICE_URL: url, LANGUAGE_SERVICE_KEY: "emulator-key" }
  })

  const meterOf = async () => (await messageOf<{ readonly meter: Meter.Meter }>(emulator, "meter")).meter

  const finish = async (...resubmit: ReadonlyArray<string>): Promise<Report> => {
    const { code, stderr, stdout } = await start(batch, [folder, ...resubmit], env).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    return JSON.parse(stdout)
  }

  it("ends with 120 whole files, and no other upload was accepted twice", async () => {
    const moments: Array<string> = []
    for (let kill = 0; kill < runs(3, 1); kill++) {
      const before = (await meterOf()).documents.length
      const { child, ended } = start(batch, [folder], env)
      // When it is killed is left to chance, but it has begun by then, and has not ended.
      const enough = before + 1 + Math.floor(Math.random() * 20)
      while ((await meterOf()).documents.length < enough) await pause(5)
      const moment = Math.random() * 600
      moments.push(`${enough} uploads and ${Math.round(moment)} ms`)
      await pause(moment)
      child.kill("SIGKILL")
      expect((await ended).signal, `killed after ${moments}`).toBe("SIGKILL")
    }

    const report = await finish()
    const killedAfter = `killed after ${moments.join(", ")}`
    expect(report.in).toBe(120)
    expect(report.failed, killedAfter).toEqual([])
    expect(report.translated + report.skipped + report.ambiguous.length + report.lost.length).toBe(120)

    const last = await finish("resubmit")
    expect(last, killedAfter).toMatchObject({
      translated: report.ambiguous.length + report.lost.length,
      skipped: 120 - report.ambiguous.length - report.lost.length,
      failed: [],
      ambiguous: [],
      lost: []
    })

    const accepted = new Map<string, number>()
    for (const { fileName, targetLang } of (await meterOf()).documents) {
      const name = `${fileName} ${targetLang}`
      accepted.set(name, (accepted.get(name) ?? 0) + 1)
    }
    const named = new Set([...report.ambiguous, ...report.lost])
    const twice = [...accepted].filter(([, times]) => times > 1).map(([name]) => name)
    expect(
      twice.filter((name) => !named.has(name)),
      killedAfter
    ).toEqual([])
    expect(Math.max(...accepted.values())).toBeLessThanOrEqual(2)
    expect(accepted.size).toBe(120)

    for (const targetLang of ["de", "fr"]) {
      // Whole files alone: nothing half done is left beside them.
      const outputs = readdirSync(`${folder}/out/${targetLang}`)
      expect(outputs.sort()).toEqual(
        sources.map(([name]) => Documents.translatedName(name).replace(".", `.${targetLang}.`)).sort()
      )
      for (const output of outputs) {
        const type = Documents.extension(output)
        const text = read(type, readFileSync(`${folder}/out/${targetLang}/${output}`))
        if (text !== undefined) expect(text, output).toContain(`[${targetLang}]`)
      }
    }
  })
})
