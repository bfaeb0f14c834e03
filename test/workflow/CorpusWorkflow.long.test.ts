/** Jobs from their submission to their end, by one worker on a libsql file. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Emulator, Fault } from "effect-translate/emulator"
import { JobControl } from "effect-translate/workflow"
import {
  bench,
  billed,
  done,
  ended,
  products,
  reference,
  requests,
  targets,
  until,
  withEmulator
} from "./jobs.js"

const file = "products.csv"

describe("a durable job", () => {
  it.scopedLive("writes the outputs of a TranslationJob, and is billed the same", () =>
    Effect.gen(function* () {
      const { folder, jobOver, output, worker } = yield* bench()
      const expected = yield* reference(folder, file)
      const before = yield* billed
      const status = yield* Effect.provide(Effect.flatMap(jobOver(file), done), worker)
      expect(status.state).toBe("done")
      for (const targetLang of targets) {
        expect(output(targetLang, file)).toBe(expected.output(targetLang))
      }
      expect((yield* billed) - before).toBe(expected.characters)
      expect(status.characters).toEqual({ least: expected.characters, most: expected.characters })
      expect(status.targets).toEqual([
        { targetLang: "de", translated: 450, cached: 50, skipped: 0, failed: 0 },
        { targetLang: "fr", translated: 450, cached: 50, skipped: 0, failed: 0 }
      ])
      expect(status.progress).toEqual({ texts: 1000, totalTexts: 1000, outputs: 2, totalOutputs: 2 })
    }).pipe(withEmulator())
  )

  it.scopedLive("bills nothing when it begins anew, and the edit once the source has changed", () =>
    Effect.gen(function* () {
      const { folder, jobOver, worker } = yield* bench()
      yield* Effect.gen(function* () {
        yield* done(yield* jobOver(file, { revision: "1" }))
        const first = yield* billed
        const again = yield* done(yield* jobOver(file, { revision: "2" }))
        expect(again.generation).toBe(2)
        expect(yield* billed).toBe(first)
        const { writeFileSync } = yield* Effect.promise(() => import("node:fs"))
        writeFileSync(`${folder}/${file}`, `${products(500)}\n500,brr`)
        yield* done(yield* jobOver(file, { revision: "3" }))
        expect((yield* billed) - first).toBe(2 * "brr".length)
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
  )

  it.scopedLive("sends nothing while it is paused, and goes on when it is resumed", () =>
    Effect.gen(function* () {
      const files = {
        [file]: products(2000),
        "first.csv": "id,title\n1,another\n",
        "second.csv": "id,title\n1,one more\n"
      }
      const { jobOver, worker } = yield* bench({ files })
      yield* Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        yield* control.submit(yield* jobOver(file, { batchTexts: 50 }))
        yield* until("catalogue", ({ progress }) => progress.texts > 100)
        const paused = yield* control.pause("catalogue")
        expect(paused.state).toBe("paused")
        // What is in flight has ended by then.
        yield* done({ ...(yield* jobOver("first.csv")), id: "first" })
        const then = yield* requests
        yield* done({ ...(yield* jobOver("second.csv")), id: "second" })
        expect(yield* requests).toBe(then + targets.length)
        yield* control.resume("catalogue")
        const last = yield* ended("catalogue")
        expect(last).toMatchObject({ state: "done", progress: { texts: 4000 } })
        // What was paid for before the pause is not found in the store as if others had translated it.
        const [de] = last.targets
        expect(de).toEqual({ targetLang: "de", translated: 1800, cached: 200, skipped: 0, failed: 0 })
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator({ latency: "20 millis" }))
  )

  it.scopedLive(
    "records requests in flight when it is cancelled, and pays for nothing twice when it is submitted again",
    () =>
      Effect.gen(function* () {
        const { folder, jobOver, output, worker } = yield* bench({ files: { [file]: products(2000) } })
        yield* Effect.gen(function* () {
          const control = yield* JobControl.JobControl
          const job = yield* jobOver(file, { batchTexts: 50 })
          yield* control.submit(job)
          yield* until("catalogue", ({ progress }) => progress.texts > 100)
          yield* control.cancel("catalogue")
          const cancelled = yield* ended("catalogue")
          expect(cancelled.state).toBe("cancelled")
          expect(() => output("de", file)).toThrow()
          const again = yield* done(job)
          expect(again).toMatchObject({ state: "done", generation: 2 })
          const total = yield* billed
          const expected = yield* reference(folder, file)
          expect(total).toBe(expected.characters)
          expect(output("fr", file)).toBe(expected.output("fr"))
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator({ latency: "20 millis" }))
  )

  it.scopedLive("waits while the quota is used up, and goes on when it is told to", () =>
    Effect.gen(function* () {
      const { events, jobOver, worker } = yield* bench({ quotaSchedule: Schedule.spaced("1 hour") })
      yield* Effect.gen(function* () {
        const { script } = yield* Emulator.Emulator
        yield* script(Fault.on(Fault.status(456), "POST", "/v2/translate"))
        const control = yield* JobControl.JobControl
        yield* control.submit(yield* jobOver(file))
        const waiting = yield* until("catalogue", ({ state }) => state === "waiting")
        expect(waiting.waiting?.reason).toBe("quota")
        expect(events.some(({ _tag }) => _tag === "JobWaits")).toBe(true)
        yield* control.resume("catalogue")
        expect((yield* ended("catalogue")).state).toBe("done")
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
  )

  it.scopedLive("sends no request after the first that finds the quota used up", () =>
    Effect.gen(function* () {
      const { jobOver, worker } = yield* bench({
        files: { [file]: products(4000) },
        concurrency: 3,
        quotaSchedule: Schedule.spaced("1 hour")
      })
      yield* Effect.gen(function* () {
        const { meter } = yield* Emulator.Emulator
        const control = yield* JobControl.JobControl
        yield* control.submit(yield* jobOver(file, { batchTexts: 500 }))
        yield* until("catalogue", ({ state }) => state === "waiting")
        const { statuses } = yield* meter
        // Those that were in flight then.
        expect(statuses[456]).toBeLessThanOrEqual(3)
        yield* control.cancel("catalogue")
        yield* ended("catalogue")
        expect((yield* meter).statuses).toEqual(statuses)
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator({ latency: "200 millis", characterLimit: 20_000 }))
  )

  it.scopedLive("fails once its budget is used up, and never goes over it", () =>
    Effect.gen(function* () {
      const { events, jobOver, worker } = yield* bench()
      const status = yield* Effect.provide(Effect.flatMap(jobOver(file, { budget: 3000 }), done), worker)
      // Several steps have met that.
      expect(events.filter(({ _tag }) => _tag === "JobEnded")).toHaveLength(1)
      expect(status).toMatchObject({ state: "failed", error: { tag: "BudgetExceeded" } })
      expect(yield* billed).toBeLessThanOrEqual(3000)
      expect(status.characters.most).toBeLessThanOrEqual(3000)
    }).pipe(withEmulator())
  )

  it.scopedLive("tells which texts have failed", () =>
    Effect.gen(function* () {
      const { jobOver, worker } = yield* bench({ files: { [file]: "id,title\n1,good\n2,bad\n" } })
      yield* Effect.gen(function* () {
        const { script } = yield* Emulator.Emulator
        yield* script(Fault.poison("bad"))
        const status = yield* done(yield* jobOver(file))
        const { failures } = yield* JobControl.JobControl
        const failed = yield* Stream.runCollect(failures("catalogue"))
        expect(status.state).toBe("done")
        expect(status.targets[0]).toMatchObject({ translated: 1, failed: 1 })
        expect([...failed]).toHaveLength(2)
        expect([...failed]).toContainEqual(expect.objectContaining({ targetLang: "de", line: 3 }))
        expect(JSON.stringify([...failed])).not.toContain("bad")
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
  )

  it.scopedLive("fails with the error of its source, and sends nothing", () =>
    Effect.gen(function* () {
      const { jobOver, worker } = yield* bench()
      const status = yield* Effect.provide(Effect.flatMap(jobOver("missing.csv"), done), worker)
      expect(status).toMatchObject({ state: "failed", error: { tag: "SourceUnreadable" } })
      expect(yield* billed).toBe(0)
    }).pipe(withEmulator())
  )

  it.scopedLive("goes on where it was when its worker starts again", () =>
    Effect.gen(function* () {
      const { folder, jobOver, output, worker } = yield* bench({ files: { [file]: products(2000) } })
      yield* Effect.gen(function* () {
        const control = yield* JobControl.JobControl
        yield* control.submit(yield* jobOver(file, { batchTexts: 50 }))
        yield* until("catalogue", ({ progress }) => progress.texts > 100)
      }).pipe(Effect.provide(Layer.fresh(worker)))
      const status = yield* Effect.provide(ended("catalogue"), Layer.fresh(worker))
      expect(status.state).toBe("done")
      const total = yield* billed
      const expected = yield* reference(folder, file)
      expect(total).toBe(expected.characters)
      expect(output("de", file)).toBe(expected.output("de"))
    }).pipe(withEmulator({ latency: "20 millis" }))
  )
})
