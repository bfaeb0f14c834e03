/** Policies that a user names for translations that are there already: in a store, or in outputs. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type FailedUnits, TranslationStore } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { OutputCheck, TranslationJob } from "effect-translate/jobs"
import { someOf } from "../support/long.js"
import { folderWith, sourceIn } from "./fileSources.js"
import { answers, kinds, refusal, right, wrong } from "./flaggedFiles.js"
import { billed, script, withService } from "./jobs.js"

const jobIn = (folder: string, name: string, more: Partial<TranslationJob.Options>) => ({
  sources: [sourceIn(folder, name, { format: kinds[name]!.format })],
  targets: ["de"] as const,
  options: { sourceLang: "en" },
  ...more
})

/** Translates a file of a folder into German: what was told, and what was billed. */
const next = new Map<string, string>()

const translate = (
  folder: string,
  name: string,
  more: Partial<TranslationJob.Options> = {},
  answer = refusal
) =>
  Effect.gen(function* () {
    const isFirst = !next.has(folder)
    next.set(folder, answer)
    const answerTo = (source: string) => (source === wrong ? next.get(folder)! : (answers[source] ?? source))
    if (isFirst) yield* script(Fault.mistranslate(answerTo).pipe(Fault.times(99)))
    const before = yield* billed
    const told: Array<FailedUnits.FailedUnit> = []
    const tell = (unit: FailedUnits.FailedUnit) => Effect.sync(() => void told.push(unit))
    const { end, outputs, targets } = yield* TranslationJob.run({
      ...jobIn(folder, name, more),
      onFailed: tell,
      onFlagged: tell
    })
    return {
      told: told.map(({ reason, text }) => [reason, text]),
      state: outputs[0]!.state,
      end: end.state,
      flagged: targets[0]!.flagged ?? 0,
      failed: targets[0]!.failed,
      characters: (yield* billed) - before
    }
  })

const policies = (policy: "fail" | "flag" | "retry") => ({
  verify: { policies: Object.fromEntries(Check.defaults.map(({ name }) => [name, policy])) }
})

/** Publishes what there is, so that its text can be looked at. */
const strict = { ...policies("fail"), partial: true }

const output = (folder: string, name: string) => readFileSync(`${folder}/de/${name}`, "utf8")

const texts = [wrong, "The door is closed."]

const test = <E, R>(name: string, self: (folder: string) => Effect.Effect<void, E, R>) =>
  Effect.flatMap(folderWith({ [name]: kinds[name]!.write(texts) }), self).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer),
    withService()
  )

/** What git does not have is gone: the store, and what only saves time. */
const inClone = <A, E, R>(folder: string, self: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    rmSync(`${folder}/.state/cache`, { recursive: true, force: true })
    return Effect.provideService(self, TranslationStore.TranslationStore, TranslationStore.none)
  })

/** Runs with a check that finds the text in its second version. */
const versions = (folder: string, name: string) => {
  let asked = 0
  const check = (version: string): Check.Check => ({
    name: "own",
    version,
    find: ({ translation }) => {
      asked++
      return version === "2" && translation === refusal
        ? [{ check: "own", severity: "error", explanation: "It is a refusal.", source: [], translation: [] }]
        : []
    }
  })
  return {
    asked: () => asked,
    run: (version: string, policy?: "fail") =>
      translate(folder, name, {
        partial: true,
        verify: { checks: [check(version)], policies: policy && { own: policy } }
      })
  }
}

const refused = { told: [["TranslationRefused", wrong]], end: "incomplete", failed: 1, characters: 0 }
const flagged = { told: [["Flagged", wrong]], end: "complete", flagged: 1, characters: 0 }

describe.each(someOf(Object.keys(kinds), 3))("a text that looks wrong in an output of %s", (name) => {
  it.effect("is refused by a policy that is named later, at no cost, and is not left in the output", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        expect(output(folder, name)).toContain(refusal)
        expect(yield* translate(folder, name, strict)).toMatchObject(refused)
        expect(output(folder, name)).not.toContain(refusal)
        expect(yield* translate(folder, name, strict)).toMatchObject(refused)
      })
    )
  )

  it.effect("is written and flagged by a milder run, at no cost", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        yield* translate(folder, name, strict)
        expect(yield* translate(folder, name)).toMatchObject(flagged)
        expect(output(folder, name)).toContain(refusal)
      })
    )
  )

  it.effect("is refused in a clone without a store, at no cost", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        expect(yield* inClone(folder, translate(folder, name, strict))).toMatchObject(refused)
        expect(output(folder, name)).not.toContain(refusal)
      })
    )
  )

  it.effect("is asked for once more if that is wished for, as the forecast says", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        const again = { retryFlagged: true }
        yield* translate(folder, name)
        const forecast = yield* TranslationJob.forecast(jobIn(folder, name, again))
        expect(forecast.targets[0]).toMatchObject({ characters: wrong.length, translated: 1 })
        expect(yield* translate(folder, name, again, right)).toMatchObject({
          told: [],
          end: "complete",
          characters: wrong.length
        })
        expect(output(folder, name)).toContain(right)
        expect(yield* translate(folder, name, again, right)).toMatchObject({ told: [], characters: 0 })
      })
    )
  )

  it.effect("stays as it is if the next answer is no better", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        expect(yield* translate(folder, name, { retryFlagged: true }, "")).toMatchObject({
          ...flagged,
          characters: wrong.length
        })
        expect(output(folder, name)).toContain(refusal)
        expect(yield* translate(folder, name)).toMatchObject({ ...flagged, state: "unchanged" })
      })
    )
  )

  it.effect(
    "stays, and sends nothing, where a newer version of a check finds it and no policy is named",
    () =>
      test(name, (folder) =>
        Effect.gen(function* () {
          const { run } = versions(folder, name)
          expect(yield* run("1")).toMatchObject({ told: [], flagged: 0 })
          expect(yield* run("2")).toMatchObject({ ...flagged, state: "unchanged" })
          expect(output(folder, name)).toContain(refusal)
        })
      )
  )

  it.effect("is refused by a named check once its version finds it, which looks once at each version", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        const { asked, run } = versions(folder, name)
        yield* run("1", "fail")
        yield* run("1", "fail")
        const before = asked()
        expect(yield* run("1", "fail")).toMatchObject({ told: [], end: "complete" })
        expect(asked()).toBe(before)
        expect(yield* run("2", "fail")).toMatchObject(refused)
        expect(output(folder, name)).not.toContain(refusal)
      })
    )
  )

  it.effect("is refused by no policy once a person has accepted it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name)
        yield* OutputCheck.accept({
          files: [
            {
              ...kinds[name]!,
              path: `${folder}/${name}`,
              output: `${folder}/{lang}/${name}`,
              stateFolder: `${folder}/.state`
            }
          ],
          targets: ["de"],
          options: { sourceLang: "en" },
          checks: Check.defaults
        })
        for (const more of [strict, { retryFlagged: true }]) {
          expect(yield* translate(folder, name, more)).toMatchObject({
            told: [],
            end: "complete",
            characters: 0
          })
          expect(output(folder, name)).toContain(refusal)
        }
      })
    )
  )

  it.effect("is told, and stays, if a person has written it", () =>
    test(name, (folder) =>
      Effect.gen(function* () {
        yield* translate(folder, name, {}, right)
        writeFileSync(`${folder}/de/${name}`, output(folder, name).replace(right, refusal))
        for (const more of [strict, { retryFlagged: true }]) {
          expect(yield* translate(folder, name, more)).toMatchObject(flagged)
          expect(output(folder, name)).toContain(refusal)
        }
      })
    )
  )
})
