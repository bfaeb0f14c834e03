/** Jobs whose outputs can't be written, for now or for good. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { JobSource } from "effect-translate/jobs"
import { TableError } from "effect-translate/tables"
import { Corpus, JobControl } from "effect-translate/workflow"
import { bench, done, withEmulator } from "./jobs.js"

/** A corpus of rows that can't be written for as many times as its reference says, by an error with its code. */
const rows = () => {
  let writes = 0
  const kind = Corpus.kind({
    name: "rows",
    reference: Schema.Struct({ code: Schema.String, failures: Schema.Number }),
    open: ({ code, failures }) =>
      Effect.succeed({
        sources: [
          {
            source: JobSource.rows({
              name: "rows",
              rows: Stream.make({ id: "1", title: "good" }, { id: "2", title: "better" }),
              key: ({ id }) => id,
              fields: ["title"],
              write: () => (outcomes) =>
                Effect.zipRight(
                  Stream.runDrain(outcomes),
                  Effect.suspend(() =>
                    writes++ < failures
                      ? Effect.fail(new TableError.TableUnusable({ table: "out", code }))
                      : Effect.void
                  )
                )
            })
          }
        ]
      })
  })
  // What it needs, and how it fails, the worker knows.
  return { kind: kind as unknown as Corpus.Kind, writes: () => writes }
}

const jobOf = (code: string, failures: number) => ({
  id: "rows",
  corpus: { kind: "rows", reference: { code, failures } },
  targets: ["de"] as const
})

describe("an output", () => {
  it.scopedLive("that can't be written while the database is away is waited for", () =>
    Effect.gen(function* () {
      const { kind, writes } = rows()
      const { events, worker } = yield* bench({
        files: {},
        kinds: [kind],
        outageSchedule: Schedule.spaced("10 millis")
      })
      const status = yield* Effect.provide(done(jobOf("57P01", 2)), worker)
      expect(status).toMatchObject({ state: "done", targets: [{ failed: 0 }] })
      expect(writes()).toBe(3)
      const waits = events.filter(({ _tag }) => _tag === "JobWaits")
      expect(waits.length).toBe(2)
      expect(waits[0]).toMatchObject({ reason: "outage" })
    }).pipe(withEmulator())
  )

  it.scopedLive("that can never be written ends the job, and is listed with its reason", () =>
    Effect.gen(function* () {
      const { kind, writes } = rows()
      const { worker } = yield* bench({ files: {}, kinds: [kind] })
      yield* Effect.gen(function* () {
        const status = yield* done(jobOf("42703", 9))
        expect(status).toMatchObject({
          state: "failed",
          error: { tag: "TableUnusable", message: expect.stringContaining("An output was not written") }
        })
        expect(writes()).toBe(1)
        const { failures } = yield* JobControl.JobControl
        expect([...(yield* Stream.runCollect(failures("rows")))]).toEqual([
          {
            source: "rows",
            targetLang: "de",
            key: "",
            tag: "TableUnusable",
            message: expect.stringContaining("out can't be used (42703)")
          }
        ])
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
  )
})
