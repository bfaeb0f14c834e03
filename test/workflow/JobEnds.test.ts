/** A durable job ends, whatever its source does. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { JobSource } from "effect-translate/jobs"
import { Corpus, FileCorpus, JobControl } from "effect-translate/workflow"
import { bench, done, ended, products, withEmulator } from "./jobs.js"

type Place = "open" | "check" | "slices" | "translate" | "never"

const defect = new TypeError("The text was 'Hello'")

/** A source that breaks in one place as no error of its own says. */
const sourceOf = (place: Place): Corpus.Source => {
  const broken = (here: Place) => (place === here ? Effect.die(defect) : Effect.void)
  const source: JobSource.JobSource = {
    name: "broken",
    check: () => Effect.as(broken("check"), []),
    translate: () =>
      place === "never" ? Effect.never : Effect.flatMap(broken("translate"), () => Effect.succeed([])),
    forecast: () => Effect.dieMessage("It is not asked.")
  }
  return {
    source,
    slices: () => (place === "slices" ? Stream.die(defect) : Stream.empty),
    slice: () => source
  }
}

const brokenKind = Corpus.kind({
  name: "broken",
  reference: Schema.Struct({ place: Schema.Literal("open", "check", "slices", "translate", "never") }),
  open: ({ place }) =>
    place === "open" ? Effect.die(defect) : Effect.succeed({ sources: [sourceOf(place)] })
})

const jobAt = (place: Place) =>
  ({ id: place, corpus: { kind: "broken", reference: { place } }, targets: ["de", "fr"] }) as const

const kinds: ReadonlyArray<Corpus.Kind<FileCorpus.Error, FileCorpus.Context>> = [FileCorpus.kind, brokenKind]

describe("a durable job", () => {
  for (const place of ["open", "check", "slices", "translate"] as const) {
    it.scopedLive(`fails if its source has a defect in ${place}, and others go on`, () =>
      Effect.gen(function* () {
        const { jobOver, worker } = yield* bench({ files: { "products.csv": products(20) }, kinds })
        const job = yield* jobOver("products.csv")
        yield* Effect.gen(function* () {
          const { error, state } = yield* done(jobAt(place))
          expect(state).toBe("failed")
          expect(error?.tag).toBe("Defect")
          expect(error?.message).toMatch(/^A bug has ended the job: TypeError\./)
          expect(error?.message).not.toContain("Hello")
          expect(yield* done(job)).toMatchObject({ state: "done" })
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
    )
  }

  it.scopedLive("is cancelled while its source never ends", () =>
    Effect.gen(function* () {
      const { worker } = yield* bench({ kinds, drain: "100 millis" })
      yield* Effect.gen(function* () {
        const { cancel, submit } = yield* JobControl.JobControl
        yield* submit(jobAt("never"))
        yield* cancel("never")
        expect(yield* ended("never")).toMatchObject({ state: "cancelled" })
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
  )
})
