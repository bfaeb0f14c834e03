/** Disturbs each call of a job once, runs the job again, and checks the books. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { inspect } from "node:util"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Path from "@effect/platform/Path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ConcurrencyLimit, RetryPolicy, TranslateClient, type Translator } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { Open } from "../../../src/sql/internal/driver.js"
import { probing, retries } from "../../support/retries.js"
import { Disturbance, type Fault, type Reached, type Target } from "./disturbance.js"
import * as files from "./files.js"
import { choose, type Inventory, type Origin } from "./inventory.js"
import * as requests from "./requests.js"
import * as statements from "./statements.js"
import { marker } from "./subjects.js"

type Services = FileSystem.FileSystem | Path.Path | TranslateClient.TranslateClient | Translator.Translator

/** A job that has come to its end. */
interface Ended {
  /** How much is left that is sent again only if it may be. */
  readonly again: number
  /** How many characters may have been paid twice, as the books say. */
  readonly doubtful: number
}

/** A job. */
export interface Subject<E> {
  /** Writes its files. */
  readonly begin: (home: string) => void
  /** Changes them once the job has ended for the first time: it is disturbed after that then. */
  readonly change?: (home: string) => void
  readonly run: (home: string, resubmit: boolean) => Effect.Effect<Ended, E, Services>
  /** The sites whose calls are disturbed: those that no other job has. @default all */
  readonly only?: RegExp
  /** What is wrong with the books. */
  readonly problemsOf: (home: string) => Effect.Effect<ReadonlyArray<unknown>, unknown>
}

/** What a fault has led to: in the run that met it, and in the next one. */
export interface Disturbed {
  readonly site: string
  readonly fault: Fault
  readonly outcome: string
  /** What is wrong with that. */
  readonly problems: ReadonlyArray<string>
}

const keys = Array.from({ length: 64 }, (_, index) => `key-${index}`)

export const emulator = Layer.merge(
  Emulator.layerNode({ keys, faults: requests.scripted }),
  NodeHttpClient.layerUndici
)

const policies = RetryPolicy.withRetryPolicy({ schedule: retries(2) })

/** A client that sends through what disturbs it. */
const clientOf = (key: string, disturbance: Disturbance) =>
  Layer.unwrapEffect(
    Effect.map(Emulator.Emulator, ({ url }) =>
      TranslateClient.layer({
        url,
        name: "emulator",
        key: Redacted.make(key),
        account: "emulator",
        limit: ConcurrencyLimit.makeUnlimited,
        circuit: probing(retries(5))
      })
    )
  ).pipe(Layer.provide(requests.layer(disturbance)))

/** Runs a job as a process of its own does. */
const runAs = <A, E>(
  disturbance: Disturbance,
  key: string,
  job: Effect.Effect<A, E, Services>
): Effect.Effect<Exit.Exit<A, unknown>, never, Emulator.Emulator | HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const fiber = yield* job.pipe(
      policies,
      Effect.provide([clientOf(key, disturbance), files.layer(disturbance), NodePath.layer]),
      Effect.provideService(Open, statements.open(disturbance)),
      Effect.fork
    )
    yield* Effect.raceFirst(Fiber.await(fiber), Deferred.await(disturbance.stopped))
    if (yield* Deferred.isDone(disturbance.stopped)) {
      yield* Fiber.interruptFork(fiber)
      yield* Effect.yieldNow()
      yield* disturbance.thaw
    }
    const exit = yield* Fiber.await(fiber)
    yield* disturbance.ended
    return exit
  })

/** All files below a folder, with their bytes. */
const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [])
      .filter((name) => statSync(`${folder}/${name}`).isFile())
      .sort()
      .map((name) => [name, readFileSync(`${folder}/${name}`, "latin1")])
  )

const isOfDatabase = (name: string) => /-(wal|shm)$/.test(name)

/** The cache of a record only saves time: a run that finds all as it was does not write it. */
const isOfCache = (name: string) => name.startsWith("state/cache/") && name.endsWith(".json")

const namesIn = (home: string) =>
  [...filesIn(home).keys()].filter((name) => !isOfDatabase(name) && !isOfCache(name))

/** The bills of each key. */
const billedTo = (key: string) =>
  Effect.map(
    Effect.flatMap(Emulator.Emulator, ({ meter }) => meter),
    ({ keys }) => keys[key]!.characters
  )

/** A job that nothing disturbs: what it costs, calls and leaves. */
interface Undisturbed {
  readonly billed: number
  readonly before: ReadonlyMap<string, string>
  readonly outputs: ReadonlyMap<string, string>
  readonly names: ReadonlyArray<string>
  readonly reached: ReadonlyMap<string, Reached>
}

const isDraft = (name: string) => /(^|\/)\.effect-translate-/.test(name)

const said = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? `${Cause.pretty(exit.cause)} ${inspect(exit, { depth: 12 })}` : inspect(exit)

/** What the run that was disturbed must have left. */
const problemsAtOnce = (
  { before, outputs }: Undisturbed,
  out: string,
  exit: Exit.Exit<unknown, unknown>,
  fault: Fault
): ReadonlyArray<string> => [
  ...[...filesIn(out)].flatMap(([name, bytes]) =>
    isDraft(name) || [before.get(name), outputs.get(name)].includes(bytes)
      ? []
      : [`${name} is neither old nor whole`]
  ),
  ...(Exit.isFailure(exit) && fault !== "kills"
    ? [...Cause.defects(exit.cause)].map((defect) => `a defect: ${inspect(defect)}`)
    : []),
  ...(said(exit).includes(marker) ? ["a message shows a text"] : [])
]

const areEqual = (first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>) =>
  first.size === second.size && [...first].every(([name, bytes]) => second.get(name) === bytes)

/** A folder in which a job is run again and again from the same state. */
const prepare = <E>(subject: Subject<E>) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(`${tmpdir()}/faults-`)),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const home = `${folder}/home`
    const template = `${folder}/template`
    const out = `${home}/out`
    let used = 0
    /** What is billed late to one run is not to another. */
    const newKey = () => keys[used++ % keys.length]!
    const run = (disturbance: Disturbance, key: string, resubmit = false) =>
      runAs(disturbance, key, subject.run(home, resubmit))

    subject.begin(home)
    if (subject.change !== undefined) {
      yield* Effect.flatten(run(new Disturbance(), newKey()))
      subject.change(home)
    }
    cpSync(home, template, { recursive: true })
    const restart = () => {
      rmSync(home, { recursive: true })
      cpSync(template, home, { recursive: true })
    }

    const before = filesIn(out)
    const key = newKey()
    const from = yield* billedTo(key)
    const nothing = new Disturbance()
    yield* Effect.flatten(run(nothing, key))
    const undisturbed: Undisturbed = {
      billed: (yield* billedTo(key)) - from,
      before,
      outputs: filesIn(out),
      names: namesIn(home),
      reached: nothing.reached
    }

    const outcomeOf = (
      exit: Exit.Exit<Ended, unknown>,
      { isKilled, reached }: Disturbance,
      { call, fault, site }: Target
    ) => {
      if (isKilled) return "killed"
      if (fault === "freezes") return "interrupted"
      if (Exit.isFailure(exit)) return "failed"
      if (exit.value.again > 0) return "told"
      return reached.get(site)!.calls > Math.max(call, undisturbed.reached.get(site)?.calls ?? 0)
        ? "repeated"
        : "passed"
    }

    /** Runs the job with some calls disturbed, a run after the other, and once more; tells what the last of them has led to. */
    const disturb = (runs: ReadonlyArray<ReadonlyArray<Target>>) =>
      Effect.gen(function* () {
        restart()
        const key = newKey()
        const from = yield* billedTo(key)
        const target = runs.at(-1)!.at(-1)!
        const problems: Array<string> = []
        const known: Array<Disturbance> = []
        let outcome = ""
        let exit: Exit.Exit<Ended, unknown> = Exit.void as never
        for (const targets of runs) {
          const disturbance = new Disturbance(targets)
          known.push(disturbance)
          exit = yield* run(disturbance, key)
          if (disturbance.hit.size < targets.length) return
          problems.push(...problemsAtOnce(undisturbed, out, exit, targets.at(-1)!.fault))
          if (targets === runs.at(-1)) outcome = outcomeOf(exit, disturbance, target)
        }

        const again = new Disturbance()
        const next = yield* run(again, key)
        const isAsked = Exit.isSuccess(next) && next.value.again > 0
        const last = isAsked ? yield* run(new Disturbance(), key, true) : next
        const wrong = yield* Effect.either(subject.problemsOf(home))
        const excess = (yield* billedTo(key)) - from - undisturbed.billed
        const doubtful = Exit.isSuccess(next) ? next.value.doubtful : 0
        if (Exit.isFailure(last) || last.value.again > 0) problems.push(`the next run: ${said(last)}`)
        if (!areEqual(filesIn(out), undisturbed.outputs)) problems.push("other outputs")
        if (namesIn(home).join() !== undisturbed.names.join()) problems.push(`other files: ${namesIn(home)}`)
        if (Either.isLeft(wrong) || wrong.right.length > 0) problems.push(`the store: ${inspect(wrong)}`)
        if (excess < 0 || excess > doubtful) problems.push(`${excess} billed twice, ${doubtful} in doubt`)
        const what = runs.map((targets) =>
          targets.map(({ call, fault, site }) => `call ${call} of ${site} ${fault}`).join(", ")
        )
        const disturbed: Disturbed = {
          site: target.site,
          fault: target.fault,
          outcome: isAsked ? `${outcome}, then told to send again` : outcome,
          problems: problems.map((problem) => `${what.join("; then ")}: ${problem}; ${said(exit)}`)
        }
        return { disturbed, reached: known.map(({ reached }) => reached), again: again.reached }
      })
    return { undisturbed, disturb }
  })

/** Calls that come only now and then, as they are made for what has come meanwhile, are waited for in so many runs. */
const mostRuns = 3

/**
 * Disturbs calls of each site by the faults that are chosen for it. A call site that is reached only after a fault is disturbed after that: in
 * the same run, or in the next one.
 */
export const enumerate = <E>(
  subject: Subject<E>,
  inventory: Inventory,
  /** The name of a call site by what a run calls it. */
  nameOf: (site: string) => string
) =>
  Effect.gen(function* () {
    const { disturb, undisturbed } = yield* prepare(subject)
    const all: Array<Disturbed> = []
    const missed: Array<Target> = []
    const reached = new Map<string, Origin | null>()
    type Runs = ReadonlyArray<ReadonlyArray<Target>>
    const waiting: Array<Runs> = []
    const discover = (
      found: ReadonlyMap<string, Reached>,
      after: Target | null,
      calls: (site: string) => number,
      toRuns: (target: Target) => Runs
    ) => {
      const origin = after === null ? null : { ...after, site: nameOf(after.site) }
      for (const [site, { possible }] of found) {
        if (reached.has(site)) continue
        reached.set(site, origin)
        const name = nameOf(site)
        if (subject.only?.test(name) === false) continue
        for (const chosen of choose(inventory, name, possible, calls(site)))
          waiting.push(toRuns({ site, ...chosen }))
      }
    }
    discover(
      undisturbed.reached,
      null,
      (site) => undisturbed.reached.get(site)!.calls,
      (target) => [[target]]
    )
    for (let runs = waiting.shift(); runs !== undefined; runs = waiting.shift()) {
      const before = runs.slice(0, -1)
      const targets = runs.at(-1)!
      const last = targets.at(-1)!
      let found: Effect.Effect.Success<ReturnType<typeof disturb>>
      let tries = 0
      do found = yield* disturb(runs)
      while (found === undefined && ++tries < mostRuns)
      if (found === undefined) {
        missed.push(last)
        continue
      }
      all.push(found.disturbed)
      discover(
        found.reached.at(-1)!,
        last,
        () => 1,
        (target) => [...before, [...targets, target]]
      )
      discover(
        found.again,
        last,
        () => 1,
        (target) => [...before, targets, [target]]
      )
    }
    return { all, reached, missed }
  })
