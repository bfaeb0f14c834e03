/** What is in each entry. The core needs nothing of Node: it bundles for a browser and runs where only the web's globals are. */
import { isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import * as vm from "node:vm"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as esbuild from "esbuild"
import { entries } from "../../scripts/entries.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

const bundle = (contents: string, options?: esbuild.BuildOptions) =>
  esbuild.build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "bundled",
    ...options,
    metafile: true,
    write: false,
    logLevel: "silent"
  })

const bundleOf = (module: string, options?: esbuild.BuildOptions) =>
  bundle(`export * from "./src/${module}.ts"`, options)

/** The bytes of the inputs that are left in a bundle. */
const carriedBy = ({ metafile }: Awaited<ReturnType<typeof bundle>>) =>
  Object.entries(Object.values(metafile!.outputs)[0]!.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)

const inputsOf = ({ metafile }: Awaited<ReturnType<typeof bundle>>) => Object.keys(metafile.inputs)

const ofNode = [
  "duckdb",
  "emulator",
  "libsql",
  "node",
  "postgres",
  "tables",
  "workflow",
  "workflow/postgres"
].map((path) => `effect-translate/${path}`)

const ofBrowsers = entries.filter(({ name }) => !ofNode.includes(name))

describe("an entry of the core", () => {
  it.each(ofBrowsers)("bundles for a browser without any module of Node: $name", async ({ module }) => {
    const bundled = await bundleOf(module)
    const imports = Object.values(bundled.metafile.inputs).flatMap(({ imports }) => imports)
    expect(imports.filter(({ external, path }) => external === true || isBuiltin(path))).toEqual([])
    const forbidden = /platform-node|undici|@effect\/sql|libsql|src\/(sql|emulator|workflow|cli)\//
    expect(inputsOf(bundled).filter((path) => forbidden.test(path))).toEqual([])
    expect(inputsOf(bundled)).toContain(`src/${module}.ts`)
    expect(bundled.warnings).toEqual([])
  })
})

describe("the entry of messages", () => {
  it("alone holds their parser, and no client", async () => {
    const inputs = inputsOf(await bundleOf("text/index")).join("\n")
    expect(inputs).toContain("@formatjs/icu-messageformat-parser")
    expect(inputs).not.toContain("src/client/")
  })
})

describe("the entry of checks", () => {
  it("bundles where the detector of languages is not installed", async () => {
    const { errors } = await bundleOf("text/checks/index", { alias: { eld: "missing-eld" } })
    expect(errors).toEqual([])
  })
})

describe("the root entry", () => {
  it("leaves modules that most pipelines do not need to other entries", async () => {
    const inputs = inputsOf(await bundleOf("index"))
    expect(inputs).toContain("src/client/TranslateClient.ts")
    expect(inputs.filter((path) => /@formatjs|src\/(admin|document|glossary)\//.test(path))).toEqual([])
  })

  it("weighs at most 344 kB minified, without Effect", async () => {
    const external = ["effect", "effect/*", "@effect/*"]
    const { outputFiles } = await bundleOf("index", { minify: true, format: "esm", external })
    expect(outputFiles![0]!.contents.length).toBeLessThan(352_300)
  })

  it("gives a program that only translates at most 54 kB of its own, minified and compressed, and no parser of CSV or forms, and no router", async () => {
    const program = `
      import { Outcome, Translator, TranslateStream } from "./src/index.ts"
      import * as Stream from "effect/Stream"
      export const translated = Stream.make("Hello").pipe(
        TranslateStream.translate({ targetLang: "de" }),
        Outcome.orFail,
        Stream.provideLayer(Translator.layerConfig())
      )
    `
    const carried = carriedBy(await bundle(program, { minify: true, format: "esm" }))
    const needless = /papaparse|find-my-way|multipasta|form-data|StoreError/
    expect(carried.filter((path) => needless.test(path))).toEqual([])
    const own = await bundle(program, { minify: true, format: "esm", packages: "external" })
    const text = own.outputFiles![0]!.text.replace(/import(?:\*as \w+|\{[^}]*\}) ?from"[^"]*";/g, "")
    expect(gzipSync(text).length).toBeLessThan(54_800)
  })

  it("gives a program that calls any endpoint no parser of CSV", async () => {
    const program = `
      import { TranslateClient } from "./src/index.ts"
      export const client = TranslateClient.layerConfig()
    `
    const carried = carriedBy(await bundle(program, { minify: true, format: "esm" }))
    expect(carried).toContain("src/client/Glossaries.ts")
    expect(carried.filter((path) => /papaparse/.test(path))).toEqual([])
  })

  it("translates a stream where only the web's globals are", async () => {
    const { outputFiles } = await bundle(`
      import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
      import { Chunk, Effect, Layer, Redacted, Stream } from "effect"
      import * as Core from "./src/index.ts"

      const sent = []
      const fetch = async (url, { method, headers, body }) => {
        sent.push({ url: String(url), method, authorization: headers.authorization, body: new TextDecoder().decode(body) })
        return new Response(JSON.stringify({ translations: [{ text: "Hallo", billed_characters: 5 }] }))
      }

      const translator = Core.Translator.layer({ url: "https://service.test", key: Redacted.make("a-key") }).pipe(
        Layer.provide(FetchHttpClient.layer)
      )

      export const run = () =>
        Stream.make("Hello").pipe(
          Core.TranslateStream.translate({ targetLang: "DE" }),
          Core.Outcome.orFail,
          Stream.runCollect,
          Effect.map((texts) => JSON.stringify({ texts: Chunk.toReadonlyArray(texts), sent })),
          Effect.provide(translator),
          Effect.provideService(FetchHttpClient.Fetch, fetch),
          Effect.runPromise
        )
    `)
    const context = vm.createContext({
      AbortController,
      AbortSignal,
      FormData,
      Headers,
      ReadableStream,
      Response,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      clearTimeout,
      queueMicrotask,
      setTimeout
    })
    vm.runInContext(outputFiles![0]!.text, context)
    const result = await (vm.runInContext("bundled.run()", context) as Promise<string>)
    const { sent, texts } = JSON.parse(result)
    expect(texts).toEqual(["Hallo"])
    expect(sent).toMatchObject([
      {
        url: "https://service.test/v2/translate",
        method: "POST",
        authorization: "Service-Auth-Key a-key"
      }
    ])
    expect(JSON.parse(sent[0].body)).toEqual({
      text: ["Hello"],
      target_lang: "de",
      show_billed_characters: true
    })
  })
})
