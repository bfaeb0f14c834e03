/** Corrections of a store as a translation memory of the service, and back. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { Auth, ConcurrencyLimit, Region, TranslateClient, TranslationStore } from "effect-translate"
import { DocumentSource } from "effect-translate/documents"
import { Emulator, Fault } from "effect-translate/emulator"
import { TranslationMemorySync } from "effect-translate/store"

const at = (day: number) => DateTime.unsafeMake(`2026-01-${String(day).padStart(2, "0")}T00:00:00Z`)

const correction = (
  source: string,
  translation: string,
  more: Partial<TranslationStore.Correction> = {}
) => ({
  source,
  translation,
  sourceLang: "en",
  targetLang: "de",
  at: at(1),
  ...more
})

const correct = (...corrections: ReadonlyArray<TranslationStore.Correction>) =>
  Effect.flatMap(TranslationStore.TranslationStore, (store) => store.correct(corrections))

const memories = Effect.map(TranslateClient.TranslateClient, (client) => client.translationMemories)

const clientOver = (httpClient: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient>) =>
  TranslateClient.layerServices().pipe(
    Layer.provide([
      Region.layer({ url: "http://emulator.localhost" }),
      Auth.layer({ key: Redacted.make(Emulator.defaultKey) }),
      ConcurrencyLimit.layerUnlimited
    ]),
    Layer.provide(httpClient)
  )

const client = clientOver(Layer.effect(HttpClient.HttpClient, HttpClient.HttpClient))

const services = (options?: Emulator.Options) =>
  Layer.mergeAll(client, TranslationStore.layerMemory()).pipe(
    Layer.provideMerge(Emulator.layerHttpClient(options)),
    Layer.provideMerge(NodeContext.layer)
  )

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** What a memory holds, source and translations. */
const contentOf = (id: string) =>
  Effect.flatMap(memories, ({ segmentsStream }) =>
    segmentsStream(id).pipe(
      Stream.map(({ sourceText, targets }) => [
        sourceText,
        ...targets.map(({ targetLanguage, targetText }) => `${targetLanguage}: ${targetText}`)
      ]),
      Stream.runCollect,
      Effect.map((found) => Array.from(found))
    )
  )

const names = Effect.flatMap(memories, ({ list }) =>
  Effect.map(list(), ({ translationMemories }) => translationMemories.map(({ name }) => name))
)

const tmx = (...pairs: ReadonlyArray<readonly [string, string]>) =>
  DocumentSource.fromBytes(
    "a.tmx",
    new TextEncoder().encode(
      `<tmx version="1.4"><header srclang="en"/><body>${pairs
        .map(
          ([en, de]) =>
            `<tu><tuv xml:lang="en"><seg>${en}</seg></tuv><tuv xml:lang="de"><seg>${de}</seg></tuv></tu>`
        )
        .join("")}</body></tmx>`
    )
  )

const journalIn = (folder: string) => ({ name: "Shop", journal: `${folder}/memories.json` })

const push = (folder: string, options: Partial<TranslationMemorySync.PushOptions> = {}) =>
  TranslationMemorySync.push({ ...journalIn(folder), ...options })

describe("a push", () => {
  it.scoped("makes a memory of the corrections, by which the service translates", () =>
    Effect.gen(function* () {
      yield* correct(
        correction("Mug", "Humpen"),
        correction("Mug", "tasse", { targetLang: "fr" }),
        correction("Cup", "Tasse", { sourceLang: undefined })
      )
      const folder_ = yield* folder
      const pushed = yield* push(folder_)
      expect(pushed).toMatchObject({
        isNew: true,
        added: 3,
        replaced: 0,
        kept: 0,
        leftOut: 0,
        skipped: 0,
        superseded: []
      })
      const translationMemoryId = pushed.translationMemoryId!
      expect(yield* TranslationMemorySync.pushed(journalIn(folder_))).toMatchObject([{ translationMemoryId }])
      const { translateText } = yield* TranslateClient.TranslateClient
      const request = { text: ["Mug", "Cup"], sourceLang: "en", targetLang: "de", translationMemoryId }
      const { translations } = yield* translateText(request)
      expect(translations.map(({ text }) => text)).toEqual(["Humpen", "Tasse"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("of the content of the memory makes nothing", () =>
    Effect.gen(function* () {
      yield* correct(correction("Mug", "Humpen"))
      const folder_ = yield* folder
      const first = yield* push(folder_)
      expect(yield* push(folder_)).toMatchObject({
        isNew: false,
        translationMemoryId: first.translationMemoryId,
        added: 0,
        replaced: 0,
        kept: 1
      })
      expect(yield* names).toEqual(["Shop"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("keeps the other segments, and leaves the old memory unless it is told to delete it", () =>
    Effect.gen(function* () {
      const old = yield* Effect.flatMap(memories, ({ importTmx }) =>
        importTmx(tmx(["Mug", "Becher"], ["Good morning", "Guten Morgen"]), { name: "Shop" })
      )
      yield* correct(correction("Mug", "Humpen"), correction("Pot", "Topf"))
      const folder_ = yield* folder
      const pushed = yield* push(folder_)
      expect(pushed).toMatchObject({
        added: 1,
        replaced: 1,
        kept: 1,
        superseded: [old.translationMemoryId],
        deleted: []
      })
      expect(yield* contentOf(pushed.translationMemoryId!)).toEqual([
        ["Mug", "de: Humpen"],
        ["Good morning", "de: Guten Morgen"],
        ["Pot", "de: Topf"]
      ])
      expect(yield* names).toEqual(["Shop", "Shop"])
      expect(yield* push(folder_, { deleteOld: true })).toMatchObject({
        isNew: false,
        superseded: [],
        deleted: [old.translationMemoryId]
      })
      expect(yield* names).toEqual(["Shop"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("leaves out texts of another language, or that XML can't hold", () =>
    Effect.gen(function* () {
      yield* correct(
        correction("Mug", "Humpen"),
        correction("Tasse", "cup", { sourceLang: "fr", targetLang: "en" }),
        correction("Bell", "Glocke\u0007")
      )
      const folder_ = yield* folder
      const unclear = yield* Effect.flip(push(folder_))
      expect(unclear).toMatchObject({ _tag: "SourceLanguageUnclear", languages: ["en", "fr"] })
      expect(yield* push(folder_, { sourceLang: "en" })).toMatchObject({ added: 1, leftOut: 2 })
      const other = yield* Effect.flip(push(folder_, { sourceLang: "fr" }))
      expect(other).toMatchObject({ _tag: "OtherSourceLanguage", sourceLanguage: "en" })
    }).pipe(Effect.provide(services()))
  )

  it.scoped("changes nothing if the service gives fewer segments than it counts", () =>
    Effect.gen(function* () {
      const { importTmx } = yield* memories
      yield* importTmx(tmx(["a", "b"], ["c", "d"]), { name: "Shop" })
      yield* correct(correction("Mug", "Humpen"))
      const { script } = yield* Emulator.Emulator
      const body = { segments: [], segment_count: 2 }
      yield* script(Fault.where(Fault.status(200, { body }), ({ path }) => path.endsWith("/segments")))
      const folder_ = yield* folder
      expect(yield* Effect.flip(push(folder_))).toMatchObject({
        _tag: "SegmentsMissing",
        expected: 2,
        received: 0
      })
      expect(yield* names).toEqual(["Shop"])
      const fs = yield* FileSystem.FileSystem
      expect(yield* fs.readDirectory(folder_)).toEqual([])
    }).pipe(Effect.provide(services()))
  )

  it.scoped(
    "keeps the old memory if a segment of it can't be taken over, or the service leaves one out",
    () =>
      Effect.gen(function* () {
        const { importTmx } = yield* memories
        yield* importTmx(tmx(["a", "b"]), { name: "Shop" })
        yield* correct(correction("Mug", "Humpen"))
        const { script } = yield* Emulator.Emulator
        const target = { target_segment_id: "t", target_text: "b" }
        const body = { segments: [{ source_segment_id: "s", source_text: "a", targets: [target] }] }
        yield* script(Fault.where(Fault.status(200, { body }), ({ path }) => path.endsWith("/segments")))
        const pushed = yield* push(yield* folder, { deleteOld: true })
        expect(pushed).toMatchObject({ isNew: true, skipped: 1, superseded: [], deleted: [] })
        expect(yield* names).toEqual(["Shop", "Shop"])
      }).pipe(Effect.provide(services()))
  )

  it.scoped("finds by its name the memory whose id the job does not say", () =>
    Effect.gen(function* () {
      yield* correct(correction("Mug", "Humpen"))
      const { script } = yield* Emulator.Emulator
      const body = { job_id: "j", results: [{ status: "completed" }] }
      yield* script(
        Fault.status(200, { body }).pipe(
          Fault.after(1),
          Fault.where(({ path }) => path.includes("/jobs/"))
        )
      )
      const { translationMemoryId } = yield* push(yield* folder)
      expect(yield* contentOf(translationMemoryId!)).toEqual([["Mug", "de: Humpen"]])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("says which memories have the name, if it has made none of them", () =>
    Effect.gen(function* () {
      const { importTmx } = yield* memories
      const ids = yield* Effect.forEach([1, 2], () => importTmx(tmx(["a", "b"]), { name: "Shop" }))
      yield* correct(correction("Mug", "Humpen"))
      expect(yield* Effect.flip(push(yield* folder))).toMatchObject({
        _tag: "AmbiguousMemory",
        translationMemoryIds: ids.map(({ translationMemoryId }) => translationMemoryId)
      })
    }).pipe(Effect.provide(services()))
  )

  it.scoped("of no corrections makes no memory", () =>
    Effect.gen(function* () {
      expect(yield* push(yield* folder)).toMatchObject({ translationMemoryId: undefined, isNew: false })
      expect(yield* names).toEqual([])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("begins anew after a file that the service made nothing of", () =>
    Effect.gen(function* () {
      const { script } = yield* Emulator.Emulator
      yield* correct(correction("Mug", "Humpen"))
      const folder_ = yield* folder
      const failed = { job_id: "j", results: [{ status: "failed" }] }
      yield* script(
        Fault.status(200, { body: failed }).pipe(
          Fault.times(2),
          Fault.where(({ path }) => path.includes("/jobs/"))
        )
      )
      expect((yield* Effect.flip(push(folder_)))._tag).toBe("MemoryJobFailed")
      expect(yield* push(folder_)).toMatchObject({ isNew: true, added: 1 })
    }).pipe(Effect.provide(services()))
  )

  it.scoped("keeps its journal to its owner, and tells of one that it can't read", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* correct(correction("Mug", "Humpen"))
      const folder_ = yield* folder
      const { journal } = journalIn(folder_)
      yield* push(folder_)
      expect((yield* fs.stat(journal)).mode & 0o777).toBe(0o600)
      expect(yield* fs.readDirectory(folder_)).toEqual(["memories.json"])
      yield* fs.writeFileString(journal, "{}")
      const error = yield* Effect.flip(push(folder_))
      expect(error.message).toBe(
        `${journal}: It is no journal of translation memories, or it is damaged: name another file.`
      )
    }).pipe(Effect.provide(services()))
  )
})

describe("a push that is broken off", () => {
  /** Stops before or after the request of this number. */
  const stopping = (stop: number, when: "before" | "after", reached: Deferred.Deferred<void>) => {
    let sent = 0
    return clientOver(
      Layer.effect(
        HttpClient.HttpClient,
        Effect.map(
          HttpClient.HttpClient,
          HttpClient.transform((response) => {
            if (sent++ !== stop) return response
            const halt = Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
            return when === "before" ? halt : Effect.zipRight(response, halt)
          })
        )
      )
    )
  }

  const requests = 6
  const moments = Array.from({ length: requests }, (_, stop) => stop).flatMap((stop) =>
    (["before", "after"] as const).map((when) => [stop, when] as const)
  )

  it.scoped.each(moments)(
    "at request %i, %s it, is finished by the next one: there is one new memory, and nothing is lost",
    ([stop, when]) =>
      Effect.gen(function* () {
        const { importTmx } = yield* memories
        yield* importTmx(tmx(["Mug", "Becher"], ["Good morning", "Guten Morgen"]), { name: "Shop" })
        yield* correct(correction("Mug", "Humpen"))
        const folder_ = yield* folder
        const reached = yield* Deferred.make<void>()
        const broken = yield* push(folder_, { deleteOld: true }).pipe(
          Effect.provide(stopping(stop, when, reached)),
          Effect.fork
        )
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(broken)
        yield* correct(correction("Pot", "Topf"))
        const pushed = yield* push(folder_, { deleteOld: true })
        expect(yield* names).toEqual(["Shop"])
        expect(yield* contentOf(pushed.translationMemoryId!)).toEqual([
          ["Mug", "de: Humpen"],
          ["Good morning", "de: Guten Morgen"],
          ["Pot", "de: Topf"]
        ])
        const fs = yield* FileSystem.FileSystem
        expect(yield* fs.readDirectory(folder_)).toEqual(["memories.json"])
      }).pipe(Effect.provide(services()))
  )
})

describe("a pull", () => {
  const pulled = (existing?: "keep" | "overwrite") =>
    Effect.gen(function* () {
      const { importTmx } = yield* memories
      const { translationMemoryId } = yield* importTmx(
        tmx(["Mug", "Becher"], ["Pot", "Topf"], ["Cup", "Tasse"])
      )
      const counts = yield* TranslationMemorySync.pull(translationMemoryId!, { existing })
      const { corrected } = yield* TranslationStore.TranslationStore
      return {
        counts,
        texts: yield* corrected(["Mug", "Pot", "Cup"], { sourceLang: "en", targetLang: "de" })
      }
    })

  const before = correct(correction("Mug", "Humpen"), correction("Pot", "Topf", { sourceLang: undefined }))

  it.scoped("takes the segments as corrections, and leaves a person's as it is", () =>
    Effect.gen(function* () {
      yield* before
      const { counts, texts } = yield* pulled()
      expect(counts).toEqual({ added: 1, equal: 1, kept: 1, overwritten: 0, leftOut: 0 })
      expect(texts).toEqual(["Humpen", "Topf", "Tasse"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("puts the memory's text into the place of a person's if that is wanted", () =>
    Effect.gen(function* () {
      yield* before
      yield* TestClock.setTime(DateTime.toEpochMillis(at(2)))
      const { counts, texts } = yield* pulled("overwrite")
      expect(counts).toEqual({ added: 1, equal: 1, kept: 0, overwritten: 1, leftOut: 0 })
      expect(texts).toEqual(["Becher", "Topf", "Tasse"])
    }).pipe(Effect.provide(services()))
  )

  it.scoped("and a push after it change nothing", () =>
    Effect.gen(function* () {
      const { importTmx } = yield* memories
      const { translationMemoryId } = yield* importTmx(tmx(["Mug", "Becher"]), { name: "Shop" })
      yield* TranslationMemorySync.pull(translationMemoryId!)
      expect(yield* push(yield* folder)).toMatchObject({ isNew: false, translationMemoryId, kept: 1 })
    }).pipe(Effect.provide(services()))
  )
})
