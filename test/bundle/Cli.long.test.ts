/** The bundle of the command line: what it may leave outside, and the licences of what is inside. */
import { readdirSync, readFileSync } from "node:fs"
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

  /** What is loaded at once with these files. */
  const atOnceWith = (...files: ReadonlyArray<string>) => {
    const loaded = new Set(files)
    for (const file of loaded) {
      for (const { kind, path } of inputs[file]!.imports) {
        if (kind === "import-statement" && path in inputs) loaded.add(path)
      }
    }
    return loaded
  }

  const chunk = (name: string) => {
    const found = Object.keys(inputs).filter((file) => file.startsWith(`chunks/${name}-`))
    expect(found).toHaveLength(1)
    return found[0]!
  }

  it("loads neither client, database nor telemetry before a command is called", () => {
    const ofHandlers = /\/v2\/translate|OTEL_SERVICE_NAME|CREATE TABLE/
    expect(textOf(atOnceWith("main.js", chunk("runProgram")))).not.toMatch(ofHandlers)
    expect(textOf(Object.keys(inputs))).toMatch(ofHandlers)
  })

  it.each([
    ["Parquet", /PAR1/],
    ["a database", /CREATE TABLE|SQLITE_BUSY/],
    ["the engine of durable jobs", /@effect\/cluster\/Sharding/],
    ["the emulator", / for style rules/],
    ["telemetry", /OTEL_SERVICE_NAME/],
    ["what signs requests to S3", /AWS4-HMAC-SHA256/],
    ["the page of a report", /data-effect-translate-report/],
    ["a parser of YAML", /Nested mappings are not allowed/],
    ["a parser of HTML", /surrogate-in-input-stream/],
    ["a parser of Markdown", /resourceDestinationLiteral/],
    ["a parser of XML", /disallowed character in tag name/],
    ["a parser of CSV", /UndetectableDelimiter/],
    ["a parser of messages", /EXPECT_ARGUMENT_CLOSING_BRACE/]
  ])("loads for translate no %s", (_, marker) => {
    const holding = (files: Iterable<string>) =>
      Array.from(files).filter((file) => marker.test(textOf([file])))
    expect(holding(atOnceWith("main.js", chunk("runProgram"), chunk("translate")))).toEqual([])
    expect(
      holding(readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /js$/.test(file)))
    ).not.toEqual([])
  })

  it("holds the engine of durable jobs, without its native addition, and loads it for a worker only", () => {
    const all = textOf(Object.keys(inputs))
    expect(all).toContain("@effect/cluster/Sharding")
    expect(all).not.toContain("msgpackr-extract")
    const withEngine = Object.keys(inputs).filter((file) =>
      textOf([file]).includes("@effect/cluster/Sharding")
    )
    const ofJobs = atOnceWith(chunk("job"))
    expect(withEngine.filter((file) => ofJobs.has(file))).toEqual([])
  })

  it("holds nothing of OpenTelemetry's SDK, and of undici only requests", () => {
    expect(Object.keys(inputs).filter((file) => textOf([file]).includes("opentelemetry.js.api"))).toEqual([])
    expect(Object.keys(inputs).filter((file) => textOf([file]).includes("EnvHttpProxyAgent"))).toEqual([])
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
