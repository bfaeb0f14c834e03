/** The unit by `systemd-analyze`. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { capability } from "../support/capabilities.js"

const unit = fileURLToPath(new URL("../../deploy/systemd/effect-translate-worker.service", import.meta.url))

const analyze = (...args: ReadonlyArray<string>) => spawnSync("systemd-analyze", args, { encoding: "utf8" })

const systemd = capability("systemd")

describe.skipIf(systemd.isMissing)(`the unit of systemd${systemd.why}`, () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(`${tmpdir()}/unit-`)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const written = (text: string) => {
    const file = `${folder}/effect-translate-worker.service`
    writeFileSync(file, text)
    return file
  }

  it("has no mistake that systemd finds", () => {
    const text = readFileSync(unit, "utf8")
    const { status, stderr } = analyze("verify", written(text))
    expect(stderr).toBe("")
    expect(status).toBe(0)
    expect(analyze("verify", written(`${text}\n[Service]\nRestrt=always\n`)).stderr).toContain("Restrt")
  })

  it("leaves little exposed", () => {
    const { stdout } = analyze("security", "--offline=true", written(readFileSync(unit, "utf8")))
    expect(Number(/Overall exposure level .*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(3)
  })
})
