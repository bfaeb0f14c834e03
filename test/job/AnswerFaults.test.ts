/** A service that does not translate, in one request of ten and in all: the table of docs/checks.md, made by running it. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { TranslationStore, Translator } from "effect-translate"
import { type JobReport, TranslationJob } from "effect-translate/jobs"
import * as failure from "../../src/cli/failure.js"
import { type Answering, faults, reversed, sentences } from "../stream/implausible.js"
import { fake } from "../stream/support.js"
import { rowsOf, service, table } from "./jobs.js"

const page = readFileSync(new URL("../../docs/checks.md", import.meta.url), "utf8")

const texts = sentences(1000)

const characters = texts.reduce((sum, text) => sum + text.length, 0)

const share = (part: number, of: number) => `${Number(((100 * part) / of).toFixed(1))} %`

/** Each tenth request is answered wrongly, or each. */
const answering = (answer: Answering, isWrong: (call: number) => boolean) => {
  const inner = fake()
  return Translator.Translator.of({
    ...inner.service,
    translate: (texts, options) =>
      Effect.suspend(() => {
        const given = isWrong(inner.calls.length) ? answer(texts, 0) : texts.map(reversed)
        return Effect.map(inner.service.translate(texts, options), (answered) => ({
          ...answered,
          translations: given.map((text) => ({
            text,
            detectedSourceLanguage: "en"
          })) as unknown as typeof answered.translations
        }))
      })
  })
}

const play = (fault: string, answer: Answering, where: string, isWrong: (call: number) => boolean) =>
  Effect.gen(function* () {
    const store = yield* TranslationStore.makeMemory()
    const reports: Array<JobReport.JobReport> = []
    const exit = yield* TranslationJob.run({
      sources: [table(rowsOf(...texts)).source],
      targets: ["de"],
      options: { sourceLang: "en", concurrency: 1 },
      onEnd: (report) => Effect.sync(() => reports.push(report))
    }).pipe(
      Effect.provideService(Translator.Translator, answering(answer, isWrong)),
      Effect.provideService(TranslationStore.TranslationStore, store),
      Effect.exit
    )
    const [target] = reports[0]!.targets
    const { translations } = yield* store.stats
    const told = Exit.isFailure(exit)
      ? `\`${(Cause.squash(exit.cause) as { _tag: string })._tag}\``
      : target!.flagged === undefined
        ? "nothing"
        : `${target!.flagged} flagged`
    const code = Exit.isFailure(exit) ? failure.ofCause(exit.cause).code : target!.failed > 0 ? 1 : 0
    return `| ${fault} | ${where} | ${share(target!.characters.least, characters)} | ${translations} | ${target!.failed > 0 && Exit.isSuccess(exit) ? `${target!.failed} failed` : told} | ${code} |`
  })

describe("a service that does not translate", () => {
  for (const [fault, answer] of Object.entries(faults)) {
    it.live.each([
      ["one request of ten", (call: number) => call % 10 === 4],
      ["all", () => true]
    ] as const)(`answers ${fault} in %s: the page tells the result`, ([where, isWrong]) =>
      Effect.gen(function* () {
        const row = yield* play(fault, answer, where, isWrong)
        expect(page).toContain(row)
      }).pipe(Effect.provide(service()))
    )
  }
})
