/** Files through translation: what is sent of them, what is written, and what is said of each unit. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Outcome, Targets, TranslateStream, TranslationStore } from "effect-translate"
import { Format, JsonLines, Po } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { badRequest, drain, failsWith, unauthorized } from "../stream/support.js"
import { bilingual, keyed } from "../support/keyedFormat.js"
import { file, marking, text } from "./support.js"

const source = "# a greeting\nhello = Hello\n\nbye = Bye, {name}\nblank =  \n# the end"

const options = { format: keyed, options: { targetLang: "de", dedupe: false } } as const

describe("translate", () => {
  it.effect("writes the translations in their places, and everything else as it was", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const written = yield* text(FileTranslation.translate(file(source), options))
      expect(written).toBe("# a greeting\nhello = de: Hello\n\nbye = de: Bye, {name}\nblank =  \n# the end")
    }).pipe(provide)
  })

  it.effect("protects the placeholders of the format", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      yield* text(FileTranslation.translate(file(source), options))
      expect(sent()).toEqual(["Hello", 'Bye, <x id="1">{name}</x>'])
    }).pipe(provide)
  })

  it.effect("protects those of the caller instead, if there are any", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      yield* text(
        FileTranslation.translate(file(source), {
          ...options,
          options: { ...options.options, placeholders: { kinds: ["printf"] } }
        })
      )
      expect(sent()).toEqual(["Hello", "Bye, {name}"])
    }).pipe(provide)
  })

  it.effect("names a translation that looks wrong by the key of its unit", () => {
    const { provide } = marking()
    const seen: Array<FileTranslation.PartOutcome> = []
    const check = {
      name: "bye",
      find: ({ source }: { readonly source: string }) =>
        source.startsWith("Bye")
          ? [{ check: "bye", severity: "warning", explanation: "Bye.", source: [], translation: [] } as const]
          : []
    }
    return Effect.gen(function* () {
      yield* text(
        FileTranslation.translate(file(source), {
          ...options,
          options: { ...options.options, verify: { checks: [check] } },
          onOutcome: (outcome) => Effect.sync(() => seen.push(outcome))
        })
      )
      expect(seen.flatMap((outcome) => Outcome.flaggedOf(outcome).map(({ field }) => field))).toEqual(["bye"])
    }).pipe(provide)
  })

  it.effect("tells the outcome of each part, in order", () => {
    const { provide } = marking((texts) => (texts.includes("Hello") ? badRequest : undefined))
    const seen: Array<FileTranslation.PartOutcome> = []
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file(source), {
          ...options,
          options: { ...options.options, maxTexts: 1 },
          onOutcome: (outcome) => Effect.sync(() => seen.push(outcome))
        })
      )
      expect(written).toContain("hello = Hello\n")
      expect(written).toContain("bye = de: Bye, {name}\n")
      const [failed] = seen.filter(Outcome.isFailed)
      expect(failed!.failures).toEqual([{ field: "hello", error: badRequest }])
      expect(seen.reduce(Outcome.add, Outcome.zero)).toMatchObject({
        in: 3,
        translated: 1,
        skipped: 1,
        failed: 1
      })
    }).pipe(provide)
  })

  it.effect("fails a unit whose translation the file can't hold, and goes on", () => {
    const { provide } = marking(undefined, (text) => (text === "A" ? "A\nA" : "x"))
    const seen: Array<FileTranslation.PartOutcome> = []
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file("a = A\nb = B\n"), {
          ...options,
          file: "a.keyed",
          onOutcome: (outcome) => Effect.sync(() => seen.push(outcome))
        })
      )
      expect(written).toBe("a = A\nb = x\n")
      const [failed] = seen.filter(Outcome.isFailed)
      expect(failed!.failures).toMatchObject([
        { field: "a", error: { _tag: "FormatError", file: "a.keyed", line: 1 } }
      ])
      expect(seen.reduce(Outcome.add, Outcome.zero)).toMatchObject({ in: 2, translated: 1, failed: 1 })
    }).pipe(provide)
  })

  it.effect("takes any operator that keeps the order", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const written = yield* file(source).pipe(
        keyed.decode({ targetLang: "fr" }),
        TranslateStream.translateWith({ targetLang: "fr", ...FileTranslation.elements() }),
        FileTranslation.write({ format: keyed }),
        Outcome.orFail,
        Format.encode,
        text
      )
      expect(written).toContain("hello = fr: Hello\n")
    }).pipe(provide)
  })

  it.effect("ends with the error of the format, before anything is sent", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      const { exit } = yield* drain(
        FileTranslation.translate(file("a = A\n?\n"), { ...options, file: "a.keyed" })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "FormatError", file: "a.keyed", line: 2 })
      expect(requests).toEqual([])
    }).pipe(provide)
  })

  it.effect("ends with the error that ends a stream", () => {
    const { provide } = marking(() => unauthorized)
    return Effect.gen(function* () {
      const { exit } = yield* drain(FileTranslation.translate(file(source), options))
      expect(failsWith(exit)).toBe(unauthorized)
    }).pipe(provide)
  })

  it.effect("reads the file once for several languages", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const results = yield* Targets.run(
        file("a = A\n"),
        ["de", "fr"],
        (targetLang) => (bytes) =>
          text(FileTranslation.translate(bytes, { ...options, options: { ...options.options, targetLang } }))
      )
      expect(results.map(({ result }) => Either.getOrThrow(result))).toEqual(["a = de: A\n", "a = fr: A\n"])
    }).pipe(provide)
  })
})

describe("units", () => {
  const both = "a = A | x\nb = B | ~y\nc = C\n"

  it.effect("are sent if their translation is missing or fuzzy", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file(both), { format: bilingual, options: { targetLang: "de" } })
      )
      expect(written).toBe("a = A | x\nb = B | de: B\nc = C | de: C\n")
      expect(sent()).toEqual(["B", "C"])
    }).pipe(provide)
  })

  it.effect("are all sent if told", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file(both), {
          format: bilingual,
          options: { targetLang: "de" },
          units: "all"
        })
      )
      expect(written).toBe("a = A | de: A\nb = B | de: B\nc = C | de: C\n")
    }).pipe(provide)
  })
})

describe("useContext", () => {
  const commented = "# one\na = A\n# two\nb = B\n# one\nc = C\nd = D\n"

  it.effect("sends units of the same context together, each with its own", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file(commented), { ...options, useContext: true })
      )
      expect(written).toBe("# one\na = de: A\n# two\nb = de: B\n# one\nc = de: C\nd = de: D\n")
      expect(new Set(requests.map(({ context, texts }) => `${context}: ${texts}`))).toEqual(
        new Set(["one: A,C", "two: B", "undefined: D"])
      )
    }).pipe(provide)
  })

  it.effect("puts the context of the caller in front", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      yield* text(
        FileTranslation.translate(file("# one\na = A\n"), {
          ...options,
          options: { ...options.options, context: "A game." },
          useContext: true
        })
      )
      expect(requests).toEqual([{ context: "A game.\none", texts: ["A"] }])
    }).pipe(provide)
  })

  it.effect("is off unless asked for", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      yield* text(FileTranslation.translate(file(commented), options))
      expect(requests).toEqual([{ context: undefined, texts: ["A", "B", "C", "D"] }])
    }).pipe(provide)
  })

  it.effect("shares one budget among all contexts", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { exit } = yield* drain(
        FileTranslation.translate(file(commented), {
          ...options,
          useContext: true,
          options: { ...options.options, budget: 3 }
        })
      )
      expect(failsWith(exit)).toMatchObject({ _tag: "BudgetExceeded" })
    }).pipe(provide)
  })

  it.effect("begins no other context once an error has ended one", () => {
    const { provide, requests } = marking(() => unauthorized)
    return Effect.gen(function* () {
      const asked = { ...options, useContext: true, options: { ...options.options, concurrency: 1 } }
      const { exit } = yield* drain(FileTranslation.translate(file(commented), asked))
      expect(failsWith(exit)).toBe(unauthorized)
      expect(requests).toHaveLength(1)
    }).pipe(provide)
  })

  it.effect("asks once for the content that answers depend on", () => {
    const { identified, provide } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.TranslationStore
      yield* text(
        FileTranslation.translate(file(commented), {
          ...options,
          options: { ...options.options, store },
          useContext: true
        })
      )
      expect(identified()).toBe(1)
    }).pipe(provide, Effect.provide(TranslationStore.layerMemory()))
  })

  it.effect("costs the requests that the forecast says", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      const asked = { ...options, useContext: true }
      const [forecast] = yield* FileTranslation.forecast(file(commented), { ...asked, targets: ["de"] })
      yield* text(FileTranslation.translate(file(commented), asked))
      expect(forecast).toMatchObject({ in: 4, translated: 4, characters: 4, requests: requests.length })
      expect(requests).toHaveLength(3)
    }).pipe(provide)
  })
})

describe("forecast", () => {
  it.effect("counts texts that have a translation already as skipped", () =>
    Effect.gen(function* () {
      const forecasts = yield* FileTranslation.forecast(file("a = A | x\nbb = BB\n"), {
        format: bilingual,
        targets: ["de", "fr"]
      })
      expect(forecasts).toMatchObject([
        { targetLang: "de", in: 2, translated: 1, skipped: 1, characters: 2, requests: 1 },
        { targetLang: "fr", in: 2, translated: 1, skipped: 1, characters: 2, requests: 1 }
      ])
    })
  )
})

describe("a line that can't be read", () => {
  it.effect("passes through, and counts as a text that failed", () => {
    const { provide } = marking()
    const seen: Array<FileTranslation.PartOutcome> = []
    return Effect.gen(function* () {
      const written = yield* text(
        FileTranslation.translate(file('{"t":"A"}\nno json\n'), {
          format: JsonLines.make({ select: ["t"], onBadLine: "skip" }),
          options: { targetLang: "de" },
          onOutcome: (outcome) => Effect.sync(() => seen.push(outcome))
        })
      )
      expect(written).toBe('{"t":"de: A"}\nno json\n')
      expect(seen.reduce(Outcome.add, Outcome.zero)).toMatchObject({ in: 2, translated: 1, failed: 1 })
      expect(seen.filter(Outcome.isFailed)[0]!.failures).toMatchObject([{ field: 2, error: { line: 2 } }])
    }).pipe(provide)
  })
})

describe("units with placeholders of their own", () => {
  it.effect("share requests with those that have the same ones", () => {
    const { provide, requests } = marking()
    const po = Array.from(
      { length: 100 },
      (_, index) =>
        `${["#, c-format\n", "#, python-format\n", ""][index % 3]}msgid "${index} of %s"\nmsgstr ""\n`
    )
    return Effect.gen(function* () {
      yield* text(
        FileTranslation.translate(file(po.join("\n"), 4096), {
          format: Po.format,
          options: { targetLang: "de" }
        })
      )
      expect(requests.length).toBeLessThan(10)
    }).pipe(provide)
  })
})
