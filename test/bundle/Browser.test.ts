/** The core entry needs nothing of Node: it bundles for a browser and runs where only the web's globals are. */
import { isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import * as vm from "node:vm"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as esbuild from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))

const bundle = (contents: string) =>
  esbuild.build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "bundled",
    metafile: true,
    write: false,
    logLevel: "silent"
  })

describe("the core entry", () => {
  let core: Awaited<ReturnType<typeof bundle>>
  beforeAll(async () => {
    core = await bundle(`export * from "./src/index.ts"`)
  })

  it("bundles for a browser without any module of Node", () => {
    const { metafile, warnings } = core
    const inputs = Object.entries(metafile.inputs)
    const imports = inputs.flatMap(([, { imports }]) => imports)
    expect(imports.filter(({ external, path }) => external === true || isBuiltin(path))).toEqual([])
    expect(inputs.map(([path]) => path).filter((path) => /platform-node|undici/.test(path))).toEqual([])
    expect(inputs.some(([path]) => path.endsWith("src/client/TranslateClient.ts"))).toBe(true)
    expect(warnings).toEqual([])
  })

  it("reaches neither the emulator nor what only servers need", () => {
    const { metafile } = core
    expect(
      Object.keys(metafile.inputs).filter((path) =>
        /src\/(emulator|workflow|cli)\/|src\/store\/sql|@effect\/sql/.test(path)
      )
    ).toEqual([])
  })

  it("leaves the parser of messages to its own entry", async () => {
    const inputsOf = ({ metafile }: Awaited<ReturnType<typeof bundle>>) =>
      Object.keys(metafile.inputs).join("\n")
    expect(inputsOf(core)).not.toContain("@formatjs")
    expect(inputsOf(core)).not.toContain("src/icu/")
    const icu = await bundle(`export * from "./src/icu/index.ts"`)
    expect(inputsOf(icu)).toContain("@formatjs/icu-messageformat-parser")
    expect(inputsOf(icu)).not.toContain("src/client/")
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

      const client = Core.TranslateClient.layer.pipe(
        Layer.provide([
          Core.Region.layer({ url: "https://service.test" }),
          Core.Auth.layer({ key: Redacted.make("a-key") }),
          Core.ConcurrencyLimit.layerAdaptive(),
          FetchHttpClient.layer
        ])
      )

      export const run = () =>
        Stream.make("Hello").pipe(
          Core.TranslateStream.translate({ targetLang: "DE" }),
          Core.Outcome.orFail,
          Stream.runCollect,
          Effect.map((texts) => JSON.stringify({ texts: Chunk.toReadonlyArray(texts), sent })),
          Effect.provide(Core.Translator.layer.pipe(Layer.provide(client))),
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
    vm.runInContext(outputFiles[0]!.text, context)
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
