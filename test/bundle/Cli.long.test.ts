/** The bundle of the command line: what it may leave outside, and the licences of what is inside. */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as esbuild from "esbuild"
import { cliBundle } from "../../scripts/cliBundle.js"

describe("the bundle of the command line", () => {
  let folder: string
  let inputs: esbuild.Metafile["inputs"]

  const textOf = (files: Iterable<string>) =>
    Array.from(files, (file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n")

  beforeAll(async () => {
    folder = await cliBundle()
    const { metafile } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: ["main.js"],
      outdir: "out",
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      splitting: true,
      metafile: true,
      write: false,
      logLevel: "silent"
    })
    inputs = metafile.inputs
  })

  it("imports nothing but Node, the drivers of files of databases and the detector of languages", () => {
    const outside = Object.values(inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, kind, path }) => external === true && kind !== "require-call" && !isBuiltin(path))
      .map(({ path }) => path)
    expect([...new Set(outside)].sort()).toEqual([
      "@aws-sdk/credential-provider-node",
      "@duckdb/node-api",
      "eld/extrasmall",
      "libsql"
    ])
  })

  it("loads neither client, database nor telemetry before a command is called", () => {
    const atOnce = new Set(["main.js"])
    for (const file of atOnce) {
      for (const { kind, path } of inputs[file]!.imports) {
        if (kind === "import-statement" && path in inputs) atOnce.add(path)
      }
    }
    const ofHandlers = /\/v2\/translate|OTEL_SERVICE_NAME|CREATE TABLE/
    expect(textOf(atOnce)).not.toMatch(ofHandlers)
    expect(textOf(Object.keys(inputs))).toMatch(ofHandlers)
  })

  it("holds the engine of durable jobs, without its native addition, and loads it for a worker only", () => {
    const all = textOf(Object.keys(inputs))
    expect(all).toContain("@effect/cluster/Sharding")
    expect(all).not.toContain("msgpackr-extract")
    const withEngine = Object.keys(inputs).filter((file) =>
      textOf([file]).includes("@effect/cluster/Sharding")
    )
    const ofJobs = new Set([...Object.keys(inputs).filter((file) => /^chunks\/job-/.test(file))])
    for (const file of ofJobs) {
      for (const { kind, path } of inputs[file]!.imports) {
        if (kind === "import-statement" && path in inputs) ofJobs.add(path)
      }
    }
    expect(withEngine.filter((file) => ofJobs.has(file))).toEqual([])
  })

  it("holds nothing of OpenTelemetry's SDK", () => {
    expect(textOf(Object.keys(inputs))).not.toContain("opentelemetry.js.api")
  })

  it("has a notice for each package in it", () => {
    const notices = readFileSync(`${folder}/THIRD-PARTY-NOTICES.txt`, "utf8").split(/^-{80}$/m)
    const namesOf = (some: ReadonlyArray<string>) => some.map((notice) => notice.trim().split(" ")[0])
    expect(namesOf(notices)).toEqual(
      expect.arrayContaining(["effect", "@effect/cluster", "@effect/opentelemetry", "msgpackr", "pg"])
    )
    // These packages hold no licence.
    expect(namesOf(notices.filter((notice) => /^By .*Source: /m.test(notice)))).toEqual(["format", "saxes"])
  })
})
