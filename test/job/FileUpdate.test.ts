/** Updates of existing target files: what is translated, what stays, and what is remembered. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Csv, Lines, TranslationStore } from "effect-translate"
import { I18next, Json, Properties, Rails, Srt } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { badRequest, unauthorized } from "../stream/support.js"
import { bilingual, keyed, unmerged } from "../support/keyedFormat.js"
import { file, marking } from "./support.js"

const bytes = (text: string) => new TextEncoder().encode(text)
/** Keys of what is stale. */
const staleIn = ({ stale }: FileTranslation.Update) => stale.map(({ key }) => key)
const textOf = ({ bytes }: FileTranslation.Update) => new TextDecoder().decode(bytes)

const update = (
  source: string,
  target?: string,
  more: Partial<Omit<FileTranslation.UpdateOptions, "options">> & {
    readonly before?: FileTranslation.Update
    readonly options?: Partial<FileTranslation.UpdateOptions["options"]>
  } = {}
) => {
  const { before, options, ...given } = more
  return FileTranslation.update(file(source), {
    format: keyed,
    options: { targetLang: "de", ...options },
    target: target === undefined ? undefined : bytes(target),
    record: before?.record,
    ...given
  })
}

describe("without a target", () => {
  it.effect("everything is translated", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const first = yield* update("a = A\n# x\nb = B\n")
      expect(textOf(first)).toBe("a = de: A\n# x\nb = de: B\n")
      expect(first.tally).toMatchObject({ in: 2, translated: 2 })
    }).pipe(provide)
  })
})

describe("a target that was translated here", () => {
  it.effect("is left alone if nothing has changed", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const target = bytes(textOf(before))
      const again = yield* update("a = A\nb = B\n", undefined, { before, target })
      expect(again.bytes).toBe(target)
      expect(again.record).toEqual(before.record)
      expect(sent()).toEqual(["A", "B"])
    }).pipe(provide)
  })

  it.effect("gets new and changed texts, and nothing else", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const again = yield* update("a = A\nb = B2\nc = C\n", textOf(before), { before })
      expect(textOf(again)).toBe("a = de: A\nb = de: B2\nc = de: C\n")
      expect(sent()).toEqual(["A", "B", "B2", "C"])
    }).pipe(provide)
  })

  it.effect("keeps its own order and comments", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const again = yield* update("a = A2\nb = B\n", "# mine\nb = de: B\n\na = de: A\n", { before })
      expect(textOf(again)).toBe("# mine\nb = de: B\n\na = de: A2\n")
    }).pipe(provide)
  })

  it.effect("keeps a person's correction, also when another key changes", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const again = yield* update("a = A\nb = B2\n", "a = Korrigiert\nb = de: B\n", { before })
      expect(textOf(again)).toBe("a = Korrigiert\nb = de: B2\n")
      expect(staleIn(again)).toEqual([])
    }).pipe(provide)
  })

  it.effect(
    "keeps a correction whose source has changed, and reports it as stale until a person changes it",
    () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const first = yield* update("a = A\n")
        const second = yield* update("a = A\n", "a = Korrigiert\n", { before: first })
        const third = yield* update("a = A2\n", "a = Korrigiert\n", { before: second })
        expect([textOf(third), staleIn(third)]).toEqual(["a = Korrigiert\n", ["a"]])
        const fourth = yield* update("a = A2\n", "a = Korrigiert\n", { before: third })
        expect([textOf(fourth), staleIn(fourth)]).toEqual(["a = Korrigiert\n", ["a"]])
        const fifth = yield* update("a = A2\n", "a = Neu\n", { before: fourth })
        expect([textOf(fifth), staleIn(fifth)]).toEqual(["a = Neu\n", []])
        expect(sent()).toEqual(["A"])
      }).pipe(provide)
    }
  )

  it.effect("reports a correction as stale if source and translation have changed between two runs", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\n")
      const again = yield* update("a = A2\n", "a = Korrigiert\n", { before })
      expect([textOf(again), staleIn(again)]).toEqual(["a = Korrigiert\n", ["a"]])
    }).pipe(provide)
  })

  it.effect("keeps or drops texts that the source does not have any more", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const kept = yield* update("a = A\n", textOf(before), { before })
      expect([textOf(kept), kept.removed]).toEqual(["a = de: A\nb = de: B\n", ["b"]])
      const dropped = yield* update("a = A\n", textOf(before), { before, removed: "drop" })
      expect([textOf(dropped), dropped.removed]).toEqual(["a = de: A\n", ["b"]])
    }).pipe(provide)
  })

  it.effect("is translated again where a kept unit comes back to the source with another text", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const first = yield* update("a = A\nb = B\n")
      const second = yield* update("a = A\n", textOf(first), { before: first })
      const third = yield* update("a = A\nb = B2\n", textOf(second), { before: second })
      expect(textOf(third)).toBe("a = de: A\nb = de: B2\n")
    }).pipe(provide)
  })
})

describe("other options than before", () => {
  it.effect("translate anew texts of the machine, and leave those of a person", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n")
      const formality = "more"
      const more = { before, options: { formality } } as const
      const forecast = yield* FileTranslation.forecastUpdate(file("a = A\nb = B\n"), {
        format: keyed,
        options: { targetLang: "de", formality },
        target: bytes("a = de: A\nb = Von Hand\n"),
        record: before.record
      })
      expect(forecast).toMatchObject({ in: 2, translated: 1, skipped: 1 })
      const again = yield* update("a = A\nb = B\n", "a = de: A\nb = Von Hand\n", more)
      expect(sent()).toEqual(["A", "B", "A"])
      expect([textOf(again), staleIn(again)]).toEqual(["a = de: A\nb = Von Hand\n", []])
      yield* update("a = A\nb = B\n", textOf(again), { before: again, options: { formality } })
      expect(sent()).toHaveLength(3)
    }).pipe(provide)
  })

  it.effect("are remembered of each text: one that they could not reach is translated the next time", () => {
    let isDown = false
    const { provide, sent } = marking((texts) => (isDown && texts.includes("B") ? badRequest : undefined))
    return Effect.gen(function* () {
      const before = yield* update("a = A\nb = B\n", undefined, { options: { maxTexts: 1 } })
      isDown = true
      const options = { context: "A shop", maxTexts: 1 }
      const cut = yield* update("a = A\nb = B\n", textOf(before), { before, options })
      expect([textOf(cut), cut.tally.failed]).toEqual(["a = de: A\nb = de: B\n", 1])
      isDown = false
      yield* update("a = A\nb = B\n", textOf(cut), { before: cut, options })
      expect(sent()).toEqual(["A", "B", "A", "B", "B"])
    }).pipe(provide)
  })

  it.effect("leave a correction of the store, also where that store is not at hand", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const at = DateTime.unsafeMake(0)
      yield* store.correct([{ source: "A", translation: "Berichtigt", targetLang: "de", at }])
      const before = yield* update("a = A\n", undefined, { options: { store } })
      const again = yield* update("a = A\n", textOf(before), { before, options: { formality: "more" } })
      expect([textOf(again), sent()]).toEqual(["a = Berichtigt\n", []])
      const edited = yield* update("a = A2\n", textOf(again), {
        before: again,
        options: { formality: "more" }
      })
      expect([textOf(edited), sent()]).toEqual(["a = de: A2\n", ["A2"]])
    }).pipe(provide)
  })
})

describe("a target without a record", () => {
  it.effect("is nobody's: it stays and is told, and only missing texts are translated", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const first = yield* update("a = A\nb = B\n", "a = Von Hand\n")
      expect(textOf(first)).toBe("a = Von Hand\nb = de: B\n")
      const second = yield* update("a = A2\nb = B2\n", textOf(first), { before: first })
      expect(textOf(second)).toBe("a = Von Hand\nb = de: B2\n")
      expect([second.unknown, staleIn(second), second.byPersons]).toEqual([["a"], [], 0])
      expect(sent()).toEqual(["B", "B2"])
    }).pipe(provide)
  })
})

describe("a plural of the target", () => {
  const source = '{"n_one": "one file", "n_other": "files"}'
  const options = { format: I18next.format, options: { sourceLang: "en", targetLang: "ru" } } as const

  it.effect("gets the forms that it lacks, and keeps a person's", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const before = yield* update(source, '{"n_one": "файл", "n_many": "", "n_other": "файла"}', options)
      expect(JSON.parse(textOf(before))).toEqual({
        n_one: "файл",
        n_few: "ru: files",
        n_many: "ru: files",
        n_other: "файла"
      })
      const again = yield* update(source, textOf(before), { ...options, before })
      expect([textOf(again), again.record]).toEqual([textOf(before), before.record])
      expect(sent()).toEqual(["files"])
    }).pipe(provide)
  })

  it.effect("gets the forms that it lacks in files of Rails, too", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const updated = yield* update(
        "en:\n  n:\n    one: one file\n    other: files\n",
        "ru:\n  n:\n    one: файл\n    other: файла\n",
        { ...options, format: Rails.format }
      )
      expect(textOf(updated)).toBe(
        'ru:\n  n:\n    one: файл\n    few: "ru: files"\n    many: "ru: files"\n    other: файла\n'
      )
    }).pipe(provide)
  })

  it.effect("has all forms of the target language where the source has one", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const updated = yield* update('{"files": {"n_other": "ファイル"}}', "{}", {
        ...options,
        options: { sourceLang: "ja", targetLang: "en-US" }
      })
      expect(JSON.parse(textOf(updated))).toEqual({
        files: { n_one: "en-US: ファイル", n_other: "en-US: ファイル" }
      })
    }).pipe(provide)
  })
})

describe("a target in ISO-8859-1", () => {
  it.effect("is refused where it cannot hold a text of the source", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const error = yield* update("a=A\n# \u201cquoted\u201d\nb=B\n", undefined, {
        format: Properties.format,
        target: Buffer.from("a=\u00c4\n", "latin1")
      }).pipe(Effect.flip)
      expect(error).toMatchObject({ _tag: "FormatError", message: expect.stringContaining("UTF-8") })
    }).pipe(provide)
  })
})

describe("a unit that failed", () => {
  it.effect("leaves the source's text, and is translated by the next update", () => {
    const refusing = marking((texts) => (texts.includes("B") ? badRequest : undefined))
    const working = marking()
    return Effect.gen(function* () {
      const first = yield* refusing.provide(update("a = A\nb = B\n", undefined, { options: { maxTexts: 1 } }))
      expect([textOf(first), first.tally.failed]).toEqual(["a = de: A\nb = B\n", 1])
      const second = yield* working.provide(update("a = A\nb = B\n", textOf(first), { before: first }))
      expect(textOf(second)).toBe("a = de: A\nb = de: B\n")
      expect(working.sent()).toEqual(["B"])
    })
  })

  it.effect("keeps earlier translations of the machine, and is translated by the next update", () => {
    const working = marking()
    const refusing = marking(() => badRequest)
    return Effect.gen(function* () {
      const first = yield* working.provide(update("a = A\n"))
      const second = yield* refusing.provide(update("a = A2\n", textOf(first), { before: first }))
      expect(textOf(second)).toBe("a = de: A\n")
      const third = yield* working.provide(update("a = A2\n", textOf(second), { before: second }))
      expect(textOf(third)).toBe("a = de: A2\n")
    })
  })
})

describe("a format that is written anew from its source", () => {
  it.effect("keeps the target's texts where the source has not changed", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const first = yield* update("a = A\nb = B\n", undefined, { format: unmerged })
      const again = yield* update("b = B\n# new\na = A\nc = C\n", "a = Korrigiert\nb = de: B\n", {
        before: first,
        format: unmerged
      })
      expect(textOf(again)).toBe("b = de: B\n# new\na = Korrigiert\nc = de: C\n")
      expect(sent()).toEqual(["A", "B", "C"])
    }).pipe(provide)
  })
})

describe("a file that is its own target", () => {
  it.effect("gets missing texts, and keeps corrections", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const first = yield* update("a = A\nb = B | Von Hand\n", undefined, { format: bilingual })
      expect(textOf(first)).toBe("a = A | de: A\nb = B | Von Hand\n")
      const second = yield* update("a = A2 | de: A\nb = B2 | Von Hand\n", undefined, {
        before: first,
        format: bilingual
      })
      expect(textOf(second)).toBe("a = A2 | de: A2\nb = B2 | Von Hand\n")
      expect([staleIn(second), second.unknown]).toEqual([[], ["b"]])
    }).pipe(provide)
  })
})

describe("a record", () => {
  const { OutputRecord } = FileTranslation

  it.effect("is read back from its text", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { record } = yield* update("a = A\n")
      const text = yield* Schema.encode(OutputRecord)(record)
      expect(text).not.toContain('A"')
      expect(yield* Effect.flatMap(Schema.decode(OutputRecord)(text), Schema.encode(OutputRecord))).toBe(text)
    }).pipe(provide)
  })

  it("of a newer version is refused", () => {
    expect(Either.isLeft(Schema.decodeEither(OutputRecord)('{"version":2,"units":[]}'))).toBe(true)
  })
})

describe("subtitles", () => {
  const cues = (...texts: ReadonlyArray<string>) =>
    texts
      .map((text, index) => `${index + 1}\n00:00:0${index},000 --> 00:00:0${index},900\n${text}\n`)
      .join("\n")
  const source = cues("I have seen", "the house.", "Come in!")

  it.effect("keep corrections of sentences over several cues", () => {
    const { provide, sent } = marking(undefined, () => "Satz. Noch ein Satz.")
    return Effect.gen(function* () {
      const first = yield* update(source, undefined, { format: Srt.format })
      const corrected = cues("Das Haus.", "Ich sah es.", "Herein!")
      const second = yield* update(source, corrected, { format: Srt.format, before: first })
      expect(textOf(second)).toBe(corrected)
      const third = yield* update(source.replace("Come in!", "Go!"), corrected, {
        format: Srt.format,
        before: second
      })
      expect(textOf(third)).toBe(corrected)
      expect(staleIn(third)).toEqual(["3"])
      expect(sent()).toEqual(["I have seen the house.", "Come in!"])
    }).pipe(provide)
  })
})

describe("units whose keys are places", () => {
  it.effect("are known again when they have moved: a line that is inserted costs itself alone", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const format = Lines.format
      const first = yield* update("A\nB\nC\n", undefined, { format })
      const corrected = "de: A\nKorrigiert\nde: C\n"
      const second = yield* update("New\nA\nB\nC\n", corrected, { format, before: first })
      expect(textOf(second)).toBe("de: New\nde: A\nKorrigiert\nde: C\n")
      expect([staleIn(second), second.removed]).toEqual([[], []])
      const third = yield* update("B\nA\n", textOf(second), { format, before: second })
      expect(textOf(third)).toBe("Korrigiert\nde: A\n")
      expect(third.removed).toHaveLength(2)
      expect(sent()).toEqual(["A", "B", "C", "New"])
    }).pipe(provide)
  })

  it.effect("are stale where a person has corrected them, and their text has changed in its place", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const format = Lines.format
      const first = yield* update("A\nB\n", undefined, { format })
      const second = yield* update("A\nB2\n", "de: A\nKorrigiert\n", { format, before: first })
      expect([textOf(second), staleIn(second)]).toEqual(["de: A\nKorrigiert\n", ["2"]])
    }).pipe(provide)
  })

  it.effect("of a CSV file with translations beside the texts are known by those", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const format = Csv.make({ columns: ["t"], outputColumn: "de" })
      const updated = yield* update("t\nNew\nA\nB\n", "t,de\nA,Von Hand\nB,de: B\n", { format })
      expect(textOf(updated)).toBe("t,de\nNew,de: New\nA,Von Hand\nB,de: B\n")
      expect(sent()).toEqual(["New"])
    }).pipe(provide)
  })
})

describe("a target of other length than its source", () => {
  it.effect("is refused without a record, where keys are places", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(
        update("New\nA\n", "Von Hand\n", { format: Lines.format, file: "en.txt", targetFile: "de.txt" })
      )
      expect(error).toMatchObject({ _tag: "FormatError", file: "de.txt" })
      expect(error.message).toContain("no record")
      expect(sent()).toEqual([])
    }).pipe(provide)
  })

  it.effect("in one of its arrays is known by the sources of its items", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const of = (...titles: ReadonlyArray<string>) =>
        JSON.stringify(titles.map((title, index) => ({ id: title.length + index, title })))
      const format = Json.make({ select: ["[*].title"] })
      const first = yield* update(of("Mug", "Cup"), undefined, { format })
      const corrected = textOf(first).replace("de: Cup", "Tasse")
      const second = yield* update(of("New", "Mug", "Cup"), corrected, { format, before: first })
      expect(JSON.parse(textOf(second)).map(({ title }: { title: string }) => title)).toEqual([
        "de: New",
        "de: Mug",
        "Tasse"
      ])
      expect(sent()).toEqual(["Mug", "Cup", "New"])
    }).pipe(provide)
  })

  it.effect("names the target where it is broken", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(update("a = A\n", "?\n", { file: "en.keyed" }))
      expect(error).toMatchObject({ file: "en.keyed (target)", line: 1 })
    }).pipe(provide)
  })
})

describe("an error that ends one of several contexts", () => {
  it.effect("leaves each translation at its own unit", () => {
    const { provide } = marking((texts) => (texts.includes("A") ? unauthorized : undefined))
    return Effect.gen(function* () {
      const source = "# two\nb = B\n# one\na = A\n# three\nd = D\n# two\ne = E\n"
      const options = { useContext: true, options: { concurrency: 1 } }
      const updated = yield* update(source, undefined, { ...options, partial: true })
      expect(textOf(updated)).toBe("# two\nb = de: B\n# one\na = A\n# three\nd = D\n# two\ne = de: E\n")
      expect(updated).toMatchObject({ error: unauthorized, tally: { in: 3, translated: 2, failed: 1 } })
      const next = yield* update(source, textOf(updated), { ...options, before: updated }).pipe(
        marking().provide
      )
      expect(next.tally).toMatchObject({ translated: 2, skipped: 2 })
    }).pipe(provide)
  })
})
