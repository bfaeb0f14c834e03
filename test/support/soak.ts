/**
 * Chaos: random programs run against the emulator, and what must hold of every run is checked. `npm run test:campaign -- soak` runs many
 * seeds, `test/stream/Soak.long.test.ts` some of them.
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as check from "./soak/check.js"
import * as faults from "./soak/faults.js"
import { bulk, describe, type Program } from "./soak/program.js"
import { type Run, run } from "./soak/run.js"
import { runShared } from "./soak/shared.js"
import { difference, Trace } from "./soak/trace.js"

/** What a seed came to. */
export interface Report {
  readonly seed: number
  readonly isSmall: boolean
  readonly description: string
  readonly problems: ReadonlyArray<string>
  /** How often what happened: outcomes, causes, ends. */
  readonly seen: ReadonlyMap<string, number>
  readonly milliseconds: number
}

const seenIn = (run: Run): ReadonlyMap<string, number> => {
  const seen = new Map<string, number>()
  const see = (what: string, times = 1) => {
    if (times > 0) seen.set(what, (seen.get(what) ?? 0) + times)
  }
  see("programs")
  see(`over ${run.program.transport}`)
  see("requests", run.requests)
  see("faults", run.meter.faults)
  see("characters billed", run.meter.characters)
  for (const [status, times] of Object.entries(run.meter.statuses)) see(`status ${status}`, times)
  for (const outcome of run.outcomes) {
    for (const [kind, texts] of Object.entries(outcome.texts)) see(`texts ${kind}`, texts)
    see("characters", outcome.cost.characters)
    see("characters in doubt", outcome.cost.ambiguousCharacters)
    if (outcome._tag === "Failed") for (const { error } of outcome.failures) see(`failed ${error._tag}`)
    if ("translations" in outcome) {
      const cut = outcome.translations.filter(
        (each) => each !== undefined && each.text.split("[de] ").length > 2
      )
      see("texts cut and joined", cut.length)
    }
  }
  for (const call of run.calls)
    for (const name of call.faults) see(faults.cell(name, faults.fateOf(run, call)))
  see(`ended ${run.isCut ? run.program.end._tag : (check.failureOf(run)?._tag ?? "well")}`)
  return seen
}

type Found = Pick<Report, "problems" | "seen">

type Work = (program: Program, trace: Trace) => Effect.Effect<Found>

const alone: Work = (program, trace) =>
  Effect.map(run(program, trace), (run) => ({ problems: check.problems(run), seen: seenIn(run) }))

/** What a program came to. In virtual time it is run twice. */
const found = (program: Program, work: Work): Effect.Effect<Found> =>
  Effect.gen(function* () {
    const traces = [new Trace(), new Trace()] as const
    const found = yield* work(program, traces[0])
    if (program.transport !== "in process") return found
    yield* work(program, traces[1])
    const differs = difference(...traces)
    return differs === undefined ? found : { ...found, problems: [...found.problems, differs] }
  })

/** Runs a program and checks the run. It never fails, and ends in so many milliseconds. */
const checked = (made: Program, deadline: number, work: Work): Effect.Effect<Report> =>
  Effect.suspend(() => {
    const { isSmall, seed } = made
    const description = describe(made)
    const started = Date.now()
    return found(made, work).pipe(
      Effect.disconnect,
      Effect.timeoutFail({ duration: deadline, onTimeout: () => `it did not end in ${deadline} ms` }),
      Effect.sandbox,
      Effect.match({
        onFailure: (cause) => ({ problems: [String(cause)], seen: new Map<string, number>() }),
        onSuccess: identity
      }),
      Effect.map((found) => ({ seed, isSmall, description, ...found, milliseconds: Date.now() - started }))
    )
  })

/** A program, by one stream. */
export const soak = (program: Program, deadline = 300_000): Effect.Effect<Report> =>
  checked(program, deadline, alone)

/** A program, by several streams that share a store. */
export const soakShared = (program: Program, deadline = 300_000): Effect.Effect<Report> =>
  checked(program, deadline, runShared)

/** Many texts, and few of many kinds of faults. */
export const soakBulk = (texts: number): Effect.Effect<Report> =>
  Effect.suspend(() => checked(bulk(texts), 3_600_000, alone))

/** All that happened in several reports. */
export const total = (reports: ReadonlyArray<Report>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { seen } of reports) {
    for (const [what, times] of seen) sums.set(what, (sums.get(what) ?? 0) + times)
  }
  return sums
}

/** A report of a seed that fails, with the command that runs it again. */
export const explain = ({ description, isSmall, problems, seed }: Report): string =>
  [
    description,
    ...problems.slice(0, 8).map((problem) => `  ${problem}`),
    problems.length > 8 ? `  and ${problems.length - 8} more` : "",
    `  again: npm run test:campaign -- soak${isSmall ? "-virtual" : ""} --seed ${seed}`
  ]
    .filter((line) => line !== "")
    .join("\n")
