/** The official SDK of the public service of this shape, against the emulator over HTTP. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { DeepLClient, GlossaryEntries, QuotaExceededError } from "deepl-node"
import * as Effect from "effect/Effect"
import { Emulator } from "effect-translate/emulator"

/** Runs what a user of the SDK writes. */
const withSdk = (use: (sdk: DeepLClient) => Promise<void>, options: Emulator.Options = {}) =>
  Effect.flatMap(Emulator.Emulator, ({ url }) =>
    Effect.promise(() => use(new DeepLClient(Emulator.defaultKey, { serverUrl: url, maxRetries: 0 })))
  ).pipe(Effect.provide(Emulator.layerNode({ scheme: "DeepL-Auth-Key", ...options })))

const house = new GlossaryEntries({ entries: { House: "Haus" } })

const memory = {
  translationMemoryId: "0a1b2c3d-0000-4000-8000-000000000001",
  name: "Catalogue",
  sourceLanguage: "en",
  targetLanguages: ["de"],
  segmentCount: 3
}

describe("the official SDK", () => {
  it.live("translates, with all that it sends beside the texts", () =>
    withSdk(async (sdk) => {
      const one = await sdk.translateText("Hello", null, "de")
      expect(one).toMatchObject({ text: "[de] Héllö", detectedSourceLang: "en", billedCharacters: 5 })
      const many = await sdk.translateText(["a", "b"], "en", "pt-BR", {
        formality: "prefer_more",
        preserveFormatting: true,
        splitSentences: "nonewlines",
        tagHandling: "xml",
        outlineDetection: false,
        ignoreTags: ["x", "y"],
        splittingTags: "p",
        context: "Letters",
        modelType: "prefer_quality_optimized"
      })
      expect(many.map(({ text }) => text)).toEqual(["[pt-BR] å", "[pt-BR] b"])
    })
  )

  it.live("reads the usage, with a limit and without", () =>
    Effect.gen(function* () {
      yield* withSdk(async (sdk) => {
        const usage = await sdk.getUsage()
        expect(usage.anyLimitReached()).toBe(false)
      })
      yield* withSdk(
        async (sdk) => {
          await sdk.translateText("Hello", null, "de")
          const usage = await sdk.getUsage()
          expect(usage.character).toMatchObject({ count: 5, limit: 5 })
          expect(usage.anyLimitReached()).toBe(true)
          await expect(sdk.translateText("Hello", null, "de")).rejects.toThrow(QuotaExceededError)
        },
        { characterLimit: 5 }
      )
    })
  )

  it.live("lists languages and language pairs", () =>
    withSdk(async (sdk) => {
      expect((await sdk.getSourceLanguages()).map(({ code }) => code)).toContain("en")
      expect(await sdk.getTargetLanguages()).toContainEqual({
        code: "de",
        name: "German",
        supportsFormality: true
      })
      expect(await sdk.getGlossaryLanguagePairs()).toContainEqual({ sourceLang: "en", targetLang: "de" })
    })
  )

  it.live("translates a document: upload, status, download", () =>
    withSdk(async (sdk) => {
      const folder = mkdtempSync(join(tmpdir(), "effect-translate-sdk-"))
      try {
        writeFileSync(`${folder}/a.txt`, "Hello")
        const glossary = await sdk.createGlossary("Terms", "en", "de", house)
        const done = await sdk.translateDocument(`${folder}/a.txt`, `${folder}/a.de.txt`, "en", "de", {
          formality: "more",
          glossaryIds: [glossary.glossaryId]
        })
        expect(done).toMatchObject({ status: "done", billedCharacters: 5 })
        expect(readFileSync(`${folder}/a.de.txt`, "utf8")).toBe("[de] Héllö")
        const handle = await sdk.uploadDocument(Buffer.from("Hello"), null, "de", { filename: "b.txt" })
        expect((await sdk.getDocumentStatus(handle)).done()).toBe(true)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  )

  it.live("makes, lists, applies and deletes glossaries of version 2", () =>
    withSdk(async (sdk) => {
      const glossary = await sdk.createGlossary("Terms", "en", "de", house)
      expect(glossary).toMatchObject({ name: "Terms", ready: true, entryCount: 1 })
      const csv = await sdk.createGlossaryWithCsv("CSV", "en", "de", Buffer.from("mug,Becher,en,de\n"))
      expect((await sdk.getGlossaryEntries(csv)).entries()).toEqual({ mug: "Becher" })
      expect((await sdk.listGlossaries()).map(({ name }) => name)).toEqual(["Terms", "CSV"])
      expect(await sdk.getGlossary(glossary.glossaryId)).toEqual(glossary)
      const one = await sdk.translateText("House", "en", "de", { glossary })
      expect(one.text).toBe("[de] Haus")
      const both = await sdk.translateText("House mug", "en", "de", {
        glossaryIds: [glossary, csv]
      })
      expect(both.text).toBe("[de] Haus Becher")
      await sdk.deleteGlossary(glossary)
      await expect(sdk.getGlossary(glossary.glossaryId)).rejects.toThrow()
    })
  )

  it.live("makes, changes and deletes glossaries of version 3", () =>
    withSdk(async (sdk) => {
      const made = await sdk.createMultilingualGlossary("Terms", [
        { sourceLangCode: "en", targetLangCode: "de", entries: house },
        { sourceLangCode: "en", targetLangCode: "fr", entries: new GlossaryEntries({ entries: { a: "b" } }) }
      ])
      expect(made.dictionaries).toHaveLength(2)
      const csv = await sdk.createMultilingualGlossaryWithCsv("CSV", "en", "de", "mug,Becher\n")
      expect(csv.dictionaries[0]!.entryCount).toBe(1)
      expect((await sdk.updateMultilingualGlossaryName(made, "Names")).name).toBe("Names")
      const added = {
        sourceLangCode: "en",
        targetLangCode: "de",
        entries: new GlossaryEntries({ entries: { mug: "Becher" } })
      }
      expect((await sdk.updateMultilingualGlossaryDictionary(made, added)).dictionaries[0]!.entryCount).toBe(
        2
      )
      await sdk.updateMultilingualGlossaryDictionaryWithCsv(made, "en", "fr", "c,d\n")
      expect((await sdk.replaceMultilingualGlossaryDictionary(made, added)).entryCount).toBe(1)
      await sdk.replaceMultilingualGlossaryDictionaryWithCsv(made, "en", "de", "House,Haus\n")
      const { entries } = await sdk.getMultilingualGlossaryDictionaryEntries(made, "en", "de")
      expect(entries.entries()).toEqual({ House: "Haus" })
      await sdk.deleteMultilingualGlossaryDictionary(made, "en", "fr")
      expect((await sdk.getMultilingualGlossary(made.glossaryId)).dictionaries).toHaveLength(1)
      await sdk.deleteMultilingualGlossary(made)
      expect(await sdk.listMultilingualGlossaries()).toHaveLength(1)
    })
  )

  it.live("makes style rules with instructions, as the public service answers them", () =>
    withSdk(
      async (sdk) => {
        const list = await sdk.createStyleRule({
          name: "Dry",
          language: "de",
          configured_rules: { punctuation: { apostrophe: "use_curly_apostrophes" } }
        })
        const instruction = await sdk.createStyleRuleCustomInstruction(list.styleId, {
          label: "Tone",
          prompt: "Stay dry."
        })
        expect(instruction).toMatchObject({ label: "Tone", prompt: "Stay dry." })
        expect(await sdk.getStyleRuleCustomInstruction(list.styleId, instruction.id!)).toEqual(instruction)
        const replaced = await sdk.updateStyleRuleCustomInstruction(list.styleId, instruction.id!, {
          label: "Tone",
          prompt: "Stay friendly.",
          source_language: "en"
        })
        expect(replaced.prompt).toBe("Stay friendly.")
        expect((await sdk.getAllStyleRules(0, 10, true))[0]).toMatchObject({ name: "Dry", language: "de" })
        expect((await sdk.updateStyleRuleName(list.styleId, "Wet")).name).toBe("Wet")
        expect((await sdk.translateText("Hello", "en", "de", { styleRule: list.styleId })).text).toBe(
          "[de] Héllö"
        )
        await sdk.deleteStyleRuleCustomInstruction(list.styleId, instruction.id!)
        await sdk.deleteStyleRule(list.styleId)
      },
      { instructionAnswer: "instruction" }
    )
  )

  it.live("improves texts, and lists and applies translation memories", () =>
    withSdk(
      async (sdk) => {
        expect((await sdk.rephraseText("Hello", "en-GB", "business")).text).toBe(
          "[rephrased en-GB business] Hello"
        )
        const [listed] = await sdk.listTranslationMemories()
        expect(listed).toMatchObject({ translationMemoryId: memory.translationMemoryId })
        const { text } = await sdk.translateText("Hello", "en", "de", {
          translationMemory: memory.translationMemoryId,
          translationMemoryThreshold: 80
        })
        expect(text).toBe("[de] Héllö")
      },
      { translationMemories: [memory] }
    )
  )
})
