/** A durable job is checked when it is submitted, by the rules of the command line. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CorpusJob } from "effect-translate/workflow"
import { CorpusJob as CorpusJobs } from "effect-translate/workflow"
import { encodeJob } from "../../src/workflow/internal/encodeJob.js"

const job: CorpusJob.CorpusJob = {
  id: "docs",
  corpus: { kind: "files", reference: { folder: "/data" } },
  targets: ["de", "fr"]
}

const violationsOf = (more: Partial<CorpusJob.CorpusJob>) =>
  Effect.map(Effect.flip(encodeJob({ ...job, ...more })), ({ violations }) => violations)

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)

describe("a job is refused when it is submitted", () => {
  it.effect("with a language twice, in whatever spelling", () =>
    Effect.gen(function* () {
      expect(yield* violationsOf({ targets: ["de", "fr", "DE"] })).toEqual([
        { field: "targets[2]", rule: 'is "de" once more: each has a name of its own' }
      ])
    })
  )

  it.effect("with more languages than any service has, in one line", () =>
    Effect.gen(function* () {
      const targets = Array.from({ length: 200_000 }, () => "de") as unknown as CorpusJob.CorpusJob["targets"]
      expect(yield* violationsOf({ targets })).toEqual([
        { field: "targets", rule: "are 200000, more than any service has: name each language once" }
      ])
    })
  )

  it.effect("with a language that the service has under another code", () =>
    Effect.gen(function* () {
      expect(yield* violationsOf({ targets: ["zh-TW"] })).toEqual([
        { field: "targets[0]", rule: 'is "zh-TW", which is no target language: write "zh-Hant"' }
      ])
    })
  )

  it.effect("with a policy for a check that there is not", () =>
    Effect.gen(function* () {
      const [violation, ...others] = yield* violationsOf({
        checks: { nosuch: "fail", empty: "fail", language: "flag" }
      })
      expect(others).toEqual([])
      expect(violation).toMatchObject({ field: "checks.nosuch" })
      expect(violation?.rule).toMatch(/^is no check: name one of empty, .*, language, shifted, answers$/)
    })
  )

  it.effect("with a policy for __proto__, which a copy of the policies would lose", () =>
    Effect.gen(function* () {
      const checks = JSON.parse('{"__proto__":"fail","empty":"fail"}')
      expect(yield* violationsOf({ checks })).toEqual([
        { field: "checks.__proto__", rule: "is not known here: check its spelling" }
      ])
    })
  )

  it.effect("with a field that there is not, as a budget that is misspelt", () =>
    Effect.gen(function* () {
      expect(yield* violationsOf({ budgte: 1000, options: { formalty: "more" } } as never)).toEqual([
        { field: "budgte", rule: "is not known here: check its spelling" },
        { field: "options.formalty", rule: "is not known here: check its spelling" }
      ])
    })
  )

  for (const [where, more] of [
    ["corpus", { corpus: { kind: "files", reference: { files: [{ path: "/data/a\u0000.json" }] } } }],
    ["corpus", { corpus: { kind: "files", reference: { "a\u001bb": 1 } } }],
    ["corpus", { corpus: { kind: "fi\u0000les", reference: {} } }],
    ["revision", { revision: "1\u0000" }]
  ] as const) {
    it.effect(`with a control character: ${JSON.stringify(more)}`, () =>
      Effect.gen(function* () {
        expect(yield* violationsOf(more)).toEqual([
          { field: where, rule: "holds a control character: leave it out" }
        ])
      })
    )
  }

  it.effect("with a reference that is nested too deep", () =>
    Effect.gen(function* () {
      const corpus = { kind: "files", reference: nested(100_000) }
      expect(yield* violationsOf({ corpus })).toEqual([
        { field: "corpus", rule: "is nested deeper than 64 levels" }
      ])
    })
  )

  it.effect("and one that breaks no rule is stored as it is", () =>
    Effect.gen(function* () {
      const whole = {
        ...job,
        checks: { empty: "fail" },
        options: { context: "line\nline" },
        revision: "1"
      } as const
      const stored = yield* encodeJob(whole)
      expect(yield* Schema.decode(CorpusJobs.CorpusJob)(stored)).toEqual(whole)
    })
  )
})
