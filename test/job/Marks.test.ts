/** Marks in files that say that a person should look at a translation. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslationStore } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { XcStrings } from "effect-translate/formats"
import { JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { folderWith } from "./fileSources.js"
import { answers, kinds, refusal, right, wrong, xcstrings } from "./flaggedFiles.js"
import { billed, script, withService } from "./jobs.js"

const marked = {
  "a.po": { ...kinds["a.po"]!, mark: "#, fuzzy\n" },
  "a.xlf": { ...kinds["a.xlf"]!, mark: 'state="needs-review-translation"' },
  "a.xcstrings": { format: XcStrings.format, write: xcstrings, mark: '"needs_review"' }
}

type Name = keyof typeof marked

/** A catalogue of all languages is its own output. */
const outputIn = (folder: string, name: Name) =>
  name === "a.xcstrings" ? `${folder}/${name}` : `${folder}/de-${name}`

const fileIn = (folder: string, name: Name, mark?: "flagged") => ({
  path: `${folder}/${name}`,
  output: () => outputIn(folder, name),
  stateFolder: `${folder}/.state`,
  format: marked[name].format,
  mark
})

const output = (folder: string, name: Name) => readFileSync(outputIn(folder, name), "utf8")

const marksIn = (folder: string, name: Name) => output(folder, name).split(marked[name].mark).length - 1

/** Translates a file: what was billed. */
const translate = (
  folder: string,
  name: Name,
  mark?: "flagged",
  more: Partial<TranslationJob.Options> = {}
) =>
  Effect.gen(function* () {
    const before = yield* billed
    yield* TranslationJob.run({
      sources: [JobSource.file(fileIn(folder, name, mark))],
      targets: ["de"],
      options: { sourceLang: "en" },
      ...more
    })
    return (yield* billed) - before
  })

const check = (folder: string, name: Name) =>
  OutputCheck.run({
    files: [fileIn(folder, name)],
    targets: ["de"],
    options: { sourceLang: "en" },
    checks: Check.defaults
  }).pipe(
    Stream.map(({ finding, kind }) => finding?.check ?? kind),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray)
  )

const withAnswers = (first: string, second = first) =>
  Effect.gen(function* () {
    const answer = (found: string) =>
      Fault.mistranslate((source) => (source === wrong ? found : (answers[source] ?? source)))
    yield* script(answer(first))
    yield* script(answer(second).pipe(Fault.times(9)))
  })

const test = <E, R>(name: Name, self: (folder: string) => Effect.Effect<void, E, R>) =>
  Effect.flatMap(folderWith({ [name]: marked[name].write([wrong, "The door is closed."]) }), self).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer),
    withService()
  )

describe.each(Object.keys(marked) as ReadonlyArray<Name>)("a text that looks wrong in %s", (name) => {
  it.effect("is marked if that is wished for, and only it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(refusal)
        yield* translate(folder, name, "flagged")
        expect(output(folder, name)).toContain(refusal)
        expect(marksIn(folder, name)).toBe(1)
      })
    )
  )

  it.effect("is not marked by default, and later if that is wished for, at no cost", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(refusal)
        yield* translate(folder, name)
        expect(marksIn(folder, name)).toBe(0)
        expect(yield* translate(folder, name, "flagged")).toBe(0)
        expect(marksIn(folder, name)).toBe(1)
        expect(output(folder, name)).toContain(refusal)
      })
    )
  )

  it.effect("is not sent again for its mark, with a store or in a clone without records", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(refusal)
        yield* translate(folder, name, "flagged")
        expect(yield* translate(folder, name)).toBe(0)
        rmSync(`${folder}/.state`, { recursive: true })
        const again = translate(folder, name).pipe(
          Effect.provideService(TranslationStore.TranslationStore, TranslationStore.none)
        )
        expect(yield* again).toBe(0)
        expect(marksIn(folder, name)).toBe(1)
      })
    )
  )

  it.effect("has no mark any more once its translation is better", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(refusal, right)
        yield* translate(folder, name, "flagged")
        expect(yield* translate(folder, name, "flagged", { retryFlagged: true })).toBe(wrong.length)
        expect(marksIn(folder, name)).toBe(0)
        expect(output(folder, name)).toContain(right)
      })
    )
  )

  it.effect("is not marked if a person has written it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(right)
        yield* translate(folder, name)
        writeFileSync(outputIn(folder, name), output(folder, name).replace(right, refusal))
        yield* translate(folder, name, "flagged")
        expect([marksIn(folder, name), yield* check(folder, name)]).toEqual([0, ["modelReply"]])
      })
    )
  )

  it.effect("is told by check once, marked or not, and another one that a person has marked, too", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* withAnswers(refusal, right)
        yield* translate(folder, name, "flagged")
        expect(yield* check(folder, name)).toEqual(["modelReply"])
        writeFileSync(outputIn(folder, name), output(folder, name).replace(refusal, right))
        expect(yield* check(folder, name)).toEqual(["marked"])
      })
    )
  )
})
