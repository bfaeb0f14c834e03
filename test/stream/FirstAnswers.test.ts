/** A service that does not translate at all: told by the first answers, before the corpus is paid. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateStream, TranslationStore, Translator, Verification } from "effect-translate"
import { Check } from "effect-translate/checks"
import * as AnswerFault from "../../src/text/AnswerFault.js"
import { type Answering, faults, reversed, sentences } from "./implausible.js"
import { causes, chunked, collect, de, drain, failsWith, fake, until } from "./support.js"

const right: Answering = (texts) => texts.map(reversed)

const answering = (answer: Answering, work?: (texts: ReadonlyArray<string>) => Effect.Effect<void>) => {
  const inner = fake((texts) => work?.(texts) ?? Effect.void)
  return {
    ...inner,
    provide: Effect.provideService(Translator.Translator, {
      ...inner.service,
      translate: (texts, options) =>
        Effect.suspend(() => {
          const call = inner.calls.length
          return Effect.map(inner.service.translate(texts, options), (answered) => ({
            ...answered,
            translations: answer(texts, call).map((text) => ({
              text,
              detectedSourceLanguage: "en"
            })) as unknown as typeof answered.translations
          }))
        })
    })
  }
}

const verified = { ...de, verify: { checks: Check.defaults } }

describe.each(Object.entries(faults) as ReadonlyArray<[AnswerFault.AnswerFault, Answering]>)(
  "a service whose answers are all %s",
  (fault, answer) => {
    it.effect("is paid two requests, and the job ends with an error that names it", () =>
      Effect.gen(function* () {
        const service = answering(answer)
        const store = yield* TranslationStore.makeMemory()
        const { exit, out } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(sentences(3000)), { ...verified, store })
        ).pipe(service.provide)
        expect(failsWith(exit)).toMatchObject({ _tag: "ImplausibleAnswers", fault, texts: 100 })
        expect(service.calls).toHaveLength(2)
        expect(new Set(causes(out))).toEqual(new Set(["ImplausibleAnswers"]))
        expect(yield* store.stats).toMatchObject({
          translations: 0,
          refused: 0,
          attempts: { answered: { attempts: 2 } }
        })
        const again = answering(right)
        yield* drain(
          TranslateStream.translate(Stream.fromIterable(sentences(3000)), { ...verified, store })
        ).pipe(again.provide)
        expect(again.calls[0]).toEqual(service.calls[0])
        expect(again.calls).toHaveLength(60)
      })
    )

    it.effect("in its first request only is asked on, and right translations are kept", () =>
      Effect.gen(function* () {
        const service = answering((texts, call) => (call === 0 ? answer : right)(texts, call))
        const { exit, out } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(sentences(300)), verified)
        ).pipe(service.provide)
        expect(failsWith(exit)).toMatchObject({ _tag: "Success" })
        expect(out.slice(50).map(({ value }) => value)).toEqual(sentences(300).slice(50).map(reversed))
      })
    )

    it.effect("goes on where the policy of answers lets it, and without verify", () =>
      Effect.gen(function* () {
        for (const options of [de, { ...de, verify: { policies: { answers: "off" } } }] as const) {
          const service = answering(answer)
          const { exit } = yield* drain(
            TranslateStream.translate(Stream.fromIterable(sentences(200)), options)
          ).pipe(service.provide)
          expect(failsWith(exit)).toMatchObject({ _tag: "Success" })
          expect(service.calls).toHaveLength(4)
        }
      })
    )

    it.effect(
      "has no second request of other texts for one request: its texts have the findings of the checks",
      () =>
        Effect.gen(function* () {
          const service = answering(answer)
          const verify = { checks: [], firstAnswers: yield* Verification.makeFirstAnswers }
          for (const targetLang of ["de", "fr", "it"]) {
            const { exit } = yield* drain(
              TranslateStream.translate(Stream.fromIterable(sentences(10)), { targetLang, verify })
            ).pipe(service.provide)
            expect(failsWith(exit)).toMatchObject({ _tag: "Success" })
          }
          expect(service.calls).toHaveLength(3)
        })
    )
  }
)

describe("the first answer of a job", () => {
  it.effect("is waited for by all streams of the job, and then they go on at once", () =>
    Effect.gen(function* () {
      const gate = yield* Effect.makeLatch()
      const service = answering(right, () => gate.await)
      const verify = { checks: [], firstAnswers: yield* Verification.makeFirstAnswers }
      const fibers = yield* Effect.forEach(["de", "fr", "it"], (targetLang) =>
        Effect.fork(
          drain(TranslateStream.translate(Stream.fromIterable(sentences(200)), { targetLang, verify }))
        )
      ).pipe(service.provide)
      yield* until(() => service.calls.length === 1)
      yield* Effect.yieldNow()
      expect(service.calls).toHaveLength(1)
      yield* gate.open
      const ends = yield* Effect.forEach(fibers, (fiber) => fiber.await)
      expect(ends.map(({ _tag }) => _tag)).toEqual(["Success", "Success", "Success"])
      expect(service.calls).toHaveLength(12)
    })
  )

  it.effect("of a stream that is interrupted holds back no other", () =>
    Effect.gen(function* () {
      const service = answering(right, (texts) => (texts.length === 1 ? Effect.never : Effect.void))
      const verify = { checks: [], firstAnswers: yield* Verification.makeFirstAnswers }
      const run = (texts: ReadonlyArray<string>) =>
        Effect.fork(drain(TranslateStream.translate(Stream.fromIterable(texts), { ...de, verify })))
      yield* Effect.gen(function* () {
        const first = yield* run(["Good morning"])
        yield* until(() => service.calls.length === 1)
        const second = yield* run(sentences(100))
        yield* first.interruptAsFork(first.id())
        expect((yield* second.await)._tag).toBe("Success")
      }).pipe(service.provide)
      expect(service.calls).toHaveLength(3)
    })
  )

  it.effect("ends streams that begin after it has ended the job", () =>
    Effect.gen(function* () {
      const service = answering(faults.echoed)
      const verify = { checks: [], firstAnswers: yield* Verification.makeFirstAnswers }
      for (const from of [0, 100, 200]) {
        const { exit } = yield* drain(
          TranslateStream.translate(Stream.fromIterable(sentences(300).slice(from, from + 100)), {
            ...de,
            verify
          })
        ).pipe(service.provide)
        expect(failsWith(exit)).toMatchObject({ _tag: "ImplausibleAnswers" })
      }
      expect(service.calls).toHaveLength(2)
    })
  )

  it.effect("leaves a source that waits for it, though it looks wrong", () =>
    Effect.gen(function* () {
      const service = answering(faults.echoed)
      const out = yield* collect(
        TranslateStream.translate(chunked(sentences(3), 1), { ...verified, linger: 0, concurrency: 1 })
      ).pipe(service.provide)
      expect(out).toHaveLength(3)
    })
  )
})

describe("a later request with the translations of the texts beside", () => {
  const marked: Answering = (texts) => texts.map((text) => `[de] ${text}`)
  const late = () => answering((texts, call) => (call === 1 ? faults.shifted : marked)(texts, call))
  const run = (policies?: Verification.Options["policies"]) => {
    const service = late()
    return drain(
      TranslateStream.translate(Stream.fromIterable(sentences(150)), {
        ...de,
        concurrency: 1,
        verify: { checks: [], policies }
      })
    ).pipe(service.provide)
  }

  it.effect("is flagged, each of its texts", () =>
    Effect.gen(function* () {
      const { out } = yield* run()
      const flagged = out.flatMap((outcome, index) =>
        outcome._tag === "Translated" &&
        outcome.flagged?.some(({ findings }) => findings.some(({ check }) => check === "shifted"))
          ? [index]
          : []
      )
      expect(flagged).toEqual(Array.from({ length: 50 }, (_, index) => 50 + index))
    })
  )

  it.effect("is refused by the policy fail, and passed by off", () =>
    Effect.gen(function* () {
      const refused = yield* run({ shifted: "fail" })
      expect(causes(refused.out).map((cause) => cause === "TranslationRefused")).toEqual(
        Array.from({ length: 150 }, (_, index) => index >= 50 && index < 100)
      )
      const passed = yield* run({ shifted: "off" })
      expect(
        passed.out.every(
          (outcome) => outcome._tag === "Translated" && !("flagged" in outcome && outcome.flagged)
        )
      ).toBe(true)
    })
  )
})

describe("answers", () => {
  const pairs = (texts: ReadonlyArray<string>, translations: ReadonlyArray<string>, sourceLang = "en") =>
    texts.map((source, index) => ({
      source,
      translation: translations[index]!,
      sourceLang,
      targetLang: "de"
    }))
  const labels = ["Save", "Open file", "Close", "Settings", "Undo"]
  const numbered = [1, 2, 3].map((page) => `The garden on page ${page}`)
  const pages = [1, 2, 3].map((page) => `Page ${page}`)

  it.each([
    ["labels that come back", labels, labels, "echoed"],
    ["labels in German", labels, ["Sichern", "Datei öffnen", "Schließen", "Einstellungen", "Zurück"], "none"],
    [
      "codes that come back",
      ["SKU-12", "A4", "USB", "4711", "x_y", "https://a.b/c"],
      ["SKU-12", "A4", "USB", "4711", "x_y", "https://a.b/c"],
      "unclear"
    ],
    ["two texts that come back", ["Good morning", "Good night"], ["Good morning", "Good night"], "unclear"],
    [
      "names among texts",
      ["Nivea", "Siemens", "Adidas", "Hello there"],
      ["Nivea", "Siemens", "Adidas", "Hallo"],
      "none"
    ],
    [
      "one word for ways to write it",
      ["Color", "colour!", "COLOR", "Colour"],
      ["Farbe", "Farbe", "Farbe", "Farbe"],
      "unclear"
    ],
    ["nothing for texts that differ by numbers", pages, ["", "", ""], "empty"],
    ["one sentence for texts that differ by numbers", pages, ["Fehler", "Fehler", "Fehler"], "constant"],
    ["sentences with different numbers that come back", numbered, numbered, "echoed"],
    ["names with different numbers that come back", pages, pages, "unclear"],
    ["one sentence for different texts", labels, labels.map(() => "Fehler"), "constant"],
    [
      "a list that grows, in short words",
      ["a cat", "a big cat", "a very big cat", "a very big red cat", "a very big red old cat"],
      ["Katz", "dicke Katz", "sehr dicke Katz", "sehr dicke rote Katz", "sehr dicke rote alte Katz"],
      "none"
    ],
    [
      "numbers of the text before",
      ["Page one of 12", "Page two of 34", "Page six of 56", "Page ten of 78"],
      ["Seite 78", "Seite 12", "Seite 34", "Seite 56"],
      "shifted"
    ]
  ] as const)("are judged: %s", (_, texts, translations, verdict) => {
    expect(AnswerFault.find(pairs(texts, translations))).toBe(verdict)
  })

  it("are judged by their letters without the accents, where all texts are much alike", () => {
    const words = ["apple", "bridge", "candle", "desert", "engine", "forest", "garden", "harbour"]
    const texts = Array.from(
      { length: 50 },
      (_, index) => `the door with the ${words[index % 8]} and the ${words[(index * 3) % 7]}`
    )
    const accented = texts.map((text) => text.replace(/[aeiouncy]/g, "$&\u0301"))
    const shifted = [...accented.slice(1), accented[0]!]
    expect([accented, shifted].map((answers) => AnswerFault.find(pairs(texts, answers)))).toEqual([
      "none",
      "shifted"
    ])
  })

  const texts = [
    "Open the file",
    "Save 3 copies of the document in the folder",
    "Undo",
    "The printer is not connected. Check the cable.",
    "Print",
    "Which of the 12 pages?",
    "Settings of the window",
    "Really delete all of the files that you have selected?"
  ]
  const german = [
    "Datei öffnen",
    "3 Kopien des Dokuments im Ordner sichern",
    "Zurück",
    "Der Drucker ist nicht verbunden. Prüfe das Kabel.",
    "Drucken",
    "Welche der 12 Seiten?",
    "Einstellungen des Fensters",
    "Alle Dateien, die Sie gewählt haben, wirklich löschen?"
  ]

  it("are shifted from a text on", () => {
    const more = [...texts, ...texts.map((text) => `${text} again`)]
    const right = [...german, ...german.map((text) => `${text} nochmals`)]
    expect(AnswerFault.shifted(pairs(more, right))).toBeUndefined()
    expect(AnswerFault.shifted(pairs(more, [...right.slice(1), right[0]!]))).toEqual({ start: 0, end: 16 })
    expect(AnswerFault.shifted(pairs(more, [right.at(-1)!, ...right.slice(0, -1)]))).toEqual({
      start: 0,
      end: 16
    })
    const late = [...right.slice(0, 8), ...right.slice(9), right[8]!]
    expect(AnswerFault.shifted(pairs(more, late))).toMatchObject({ end: 16 })
    expect(AnswerFault.shifted(pairs(more, late))!.start).toBeGreaterThanOrEqual(7)
  })

  it("of few texts are not said to be shifted", () => {
    expect(AnswerFault.shifted([])).toBeUndefined()
    expect(AnswerFault.shifted(pairs(labels.slice(0, 2), ["Datei öffnen", "Sichern"]))).toBeUndefined()
  })

  it("into a variant of their own language may be the texts", () => {
    expect(AnswerFault.find(pairs(labels, labels, "de-CH"))).toBe("unclear")
  })
})
