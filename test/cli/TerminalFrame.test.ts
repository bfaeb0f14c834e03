/** What a terminal shows of a job: lines that fit, in words. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as FastCheck from "fast-check"
import * as frame from "../../src/cli/terminal/progressBars.js"
import * as words from "../../src/cli/terminal/progressText.js"
import type * as Progress from "../../src/stream/Progress.js"

const plain = frame.style(false, true)

const target = (targetLang: string, done: number, total: number | undefined, failed = 0) => ({
  targetLang,
  done,
  total,
  failed,
  translated: done - failed,
  cached: 0,
  skipped: 0,
  characters: 0,
  ambiguousCharacters: 0,
  requests: 0,
  retries: 0,
  refusals: {},
  inFlight: { texts: 0, characters: 0 }
})

const view = (state: Partial<Progress.State>, others: Partial<frame.View> = {}): frame.View => ({
  isHalting: false,
  limit: { limit: 8, ceiling: undefined, inUse: 3, waiting: 0, refused: 0, paused: false },
  ...others,
  state: {
    ...target("", 0, undefined),
    targets: [],
    outage: undefined,
    nextTry: undefined,
    cost: undefined,
    rate: 0,
    timeLeft: undefined,
    ...state
  }
})

const size = (columns: number, rows = 24): frame.Size => ({ columns, rows })

const some = view({
  targets: [target("de", 1340, 2000), target("pt-BR", 2000, 2000), target("ja", 50, 2000, 3)],
  done: 3390,
  total: 6000,
  failed: 3,
  retries: 2,
  characters: 182_310,
  ambiguousCharacters: 1200,
  cost: { least: 3.6462, most: 4 },
  rate: 212.4,
  timeLeft: Duration.seconds(170)
})

describe("the lines", () => {
  it("tell each language, and the sums", () => {
    expect(frame.make(some, size(80), plain)).toEqual([
      "",
      "de     ━━━━━━━━━━━━━━━━━━━━━━━━━━━─────────────  67 %  1,340 of 2,000",
      "pt-BR  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  2,000 of 2,000",
      "ja     ━───────────────────────────────────────   2 %     50 of 2,000  3 failed",
      "",
      "3,390 of 6,000 texts · 3 failed · 212 a second · about 3 minutes left",
      "182,310 characters billed · 1,200 in doubt · cost 3.65",
      "3 requests in flight · limit 8 · 2 retries"
    ])
  })

  it("leave out lines without room, and go on below", () => {
    expect(frame.make(some, size(40), plain)).toEqual([
      "",
      "de     ━━━━━━━━━━━─────  67 %",
      "pt-BR  ━━━━━━━━━━━━━━━━ 100 %",
      "ja     ────────────────   2 %  3 failed",
      "",
      "3,390 of 6,000 texts · 3 failed",
      "212 a second · about 3 minutes left",
      "182,310 characters billed",
      "1,200 in doubt · cost 3.65",
      "3 requests in flight · limit 8",
      "2 retries"
    ])
  })

  it("tell counts where the total is not known", () => {
    const lines = frame.make(
      view({ targets: [target("de", 7, undefined)], done: 7, rate: 0.2 }),
      size(80),
      plain
    )
    expect(lines.slice(1, 4)).toEqual(["de  7 texts", "", "7 texts · 12 a minute"])
  })

  it("are those of an empty language, which is complete", () => {
    expect(frame.make(view({ targets: [target("de", 0, 0)], total: 0 }), size(30), plain)[1]).toBe(
      "de  ━━━━━━━━━━━ 100 %  0 of 0"
    )
  })

  it("tell the reason of a wait for all, and the effect of Ctrl-C", () => {
    const lines = (state: Partial<Progress.State>, others: Partial<frame.View> = {}, columns = 80) =>
      frame.make(view(state, others), size(columns), plain).slice(3)
    expect(lines({ outage: "TransportError", nextTry: Duration.millis(7300) })).toEqual([
      "The service cannot be reached: waiting, next try in 8 seconds."
    ])
    expect(lines({ outage: "ServerError", nextTry: Duration.zero })).toEqual([
      "The service answers with errors: trying again."
    ])
    const paused = { limit: 2, ceiling: 2, inUse: 0, waiting: 3, refused: 3, paused: true }
    expect(lines({}, { limit: paused, isHalting: true })).toEqual([
      "The service asks to wait.",
      "Finishing requests in flight. Press Ctrl-C again to stop now."
    ])
    expect(lines({}, { isHalting: true }, 40)).toEqual([
      "Finishing requests in flight. Press",
      "Ctrl-C again to stop now."
    ])
  })

  it("put many languages beside each other, those that are not done first where not all fit", () => {
    const codes = ["bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hu", "id", "it"]
    const targets = codes.map((code, index) => target(code, index < 3 ? 9 : 3, 9))
    expect(frame.make(view({ targets }), size(50, 9), plain).slice(1, 4)).toEqual([
      "de  ━━───  33 %  et  ━━───  33 %  hu  ━━───  33 %",
      "el  ━━───  33 %  fi  ━━───  33 %  id  ━━───  33 %",
      "es  ━━───  33 %  fr  ━━───  33 %  and 4 more"
    ])
  })

  it("fit, whatever the size and however many languages there are", () => {
    const naturals = FastCheck.nat(20_000_000)
    const targets = FastCheck.array(
      FastCheck.record({
        code: FastCheck.constantFrom("de", "pt-BR", "zh-Hant", "es-419", ""),
        done: naturals,
        total: FastCheck.option(naturals, { nil: undefined }),
        failed: naturals
      }),
      { maxLength: 60 }
    ).map((all) => all.map(({ code, done, failed, total }) => target(code, done, total, failed)))
    FastCheck.assert(
      FastCheck.property(
        targets,
        FastCheck.integer({ min: 20, max: 200 }),
        FastCheck.integer({ min: 2, max: 60 }),
        FastCheck.boolean(),
        (targets, columns, rows, isColoured) => {
          const state = { targets, done: 1e7, failed: 12, outage: "TimedOut", retries: 1e6, characters: 1e9 }
          const lines = frame.make(
            view(state, { isHalting: true }),
            size(columns, rows),
            frame.style(isColoured, true)
          )
          expect(lines.length).toBeLessThan(rows)
          expect(Math.max(...lines.map(frame.widthOf))).toBeLessThan(columns)
        }
      )
    )
  })
})

describe("the time left", () => {
  it("is in whole words", () => {
    const told = (seconds: number) => words.timeLeft(Duration.seconds(seconds))
    expect([0, 9, 10, 31, 50, 89, 91, 3500, 3571, 7100, 170_000, 200_000].map(told)).toEqual([
      "a few seconds left",
      "a few seconds left",
      "about 10 seconds left",
      "about 40 seconds left",
      "about a minute left",
      "about a minute left",
      "about 2 minutes left",
      "about 58 minutes left",
      "about an hour left",
      "about 2 hours left",
      "about 47 hours left",
      "about 2 days left"
    ])
  })
})
