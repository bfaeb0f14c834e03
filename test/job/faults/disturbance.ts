/** A run of a job whose calls to the outside are counted, one of which is disturbed. */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * The outcome of a call:
 *
 * - `fails`: nothing was done, and it says so;
 * - `halves`: half of the bytes are written, read or answered; what was to be changed fails then;
 * - `cuts`: it is done, and only the answer is lost;
 * - `freezes`: it stands still until the run is interrupted, and is done then;
 * - `kills`: the process ends amid it, and nothing that it would do then reaches the outside.
 */
export const faults = ["fails", "halves", "cuts", "freezes", "kills"] as const

export type Fault = (typeof faults)[number]

/** The root of the repository. */
export const root = fileURLToPath(new URL("../../..", import.meta.url))

const lines = new Map<string, string>()

const framesOf = (): ReadonlyArray<NodeJS.CallSite> => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, frames) => frames
  const { stack } = new Error()
  Error.prepareStackTrace = prepareStackTrace
  return stack as never
}

/** A module of `src` in JavaScript, as `scripts/nativeSources.ts` makes them. */
const compiled = /^file:\/\/.*\/node_modules\/\.cache\/.*\/src\/.*\.js$/

const maps = new Map<string, SourceMap>()

const mapOf = (file: string): SourceMap => {
  const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), "utf8")))
  maps.set(file, map)
  return map
}

/** The line of `src` that calls. Lines are found once: that takes longer than many calls. */
export const caller = (): string => {
  const place = framesOf().find((frame) => compiled.test(frame.getFileName() ?? ""))
  if (place === undefined) throw new Error("No module of src calls")
  const [file, line, column] = [place.getFileName()!, place.getLineNumber()!, place.getColumnNumber()!]
  const key = `${file}:${line}:${column}`
  const known = lines.get(key)
  if (known !== undefined) return known
  const entry = mapOf(file).findEntry(line - 1, column - 1)
  if (!("originalSource" in entry)) throw new Error(`No line of src is known for ${key}`)
  const source = /src\/.*$/.exec(entry.originalSource)?.[0]
  const found = `${source}:${entry.originalLine + 1}`
  lines.set(key, found)
  return found
}

/** Numbers that no process has. */
let lastPid = 2 ** 23

const running = new Map<number, Disturbance>()

/** What `/proc/<pid>/stat` says of a run; none of one that has ended. */
export const statOf = (pid: number): string | undefined => running.get(pid)?.stat

/** Which call meets a fault. */
export interface Target {
  readonly site: string
  /** Its how manieth call, from 1. */
  readonly call: number
  readonly fault: Fault
}

/** How often a call site was reached, and what can become of its calls. */
export interface Reached {
  calls: number
  readonly possible: ReadonlyArray<Fault>
}

export class Disturbance {
  readonly reached = new Map<string, Reached>()
  /** The calls that have met their fault. */
  readonly hit = new Set<Target>()
  isKilled = false
  /** Done once the run is to be interrupted, as it stands still or was killed. */
  readonly stopped = Deferred.unsafeMake<void>(undefined as never)
  private readonly thawed = Deferred.unsafeMake<void>(undefined as never)
  private readonly pid = ++lastPid
  private readonly onEnd: Array<() => void> = []
  private abandoned: ReadonlyArray<Promise<unknown>> = []

  constructor(private readonly targets: ReadonlyArray<Target> = []) {
    running.set(this.pid, this)
  }

  get stat(): string {
    return `${this.pid} (job) S ${"0 ".repeat(18)}${this.pid}`
  }

  /** A call site is reached, where these faults are possible. Its outcome; `gone` once the process was killed. */
  enter(site: string, possible: ReadonlyArray<Fault>): Fault | "gone" | undefined {
    if (this.isKilled) return "gone"
    const reached = this.reached.get(site) ?? { calls: 0, possible }
    this.reached.set(site, reached)
    reached.calls++
    const target = this.targets.find((target) => target.site === site && target.call === reached.calls)
    if (target === undefined) return
    this.hit.add(target)
    return target.fault
  }

  /** Something stands still, and is done once the run was interrupted, whether or not somebody still waits for it. */
  readonly freeze = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWithEffect((context: import("effect/Context").Context<R>) =>
      Effect.async<A, E>((resume) => {
        const done = Effect.runPromiseExit(
          Effect.zipRight(Deferred.await(this.thawed), Effect.provide(effect, context))
        ).then(resume)
        this.abandoned = [...this.abandoned, done]
        Deferred.unsafeDone(this.stopped, Effect.void)
      })
    )

  /** Lets what stands still be done. */
  readonly thaw = Effect.suspend(() => Deferred.succeed(this.thawed, undefined))

  /** Does something at once when the process ends. */
  atEnd(finalizer: () => void): void {
    this.onEnd.push(finalizer)
  }

  private end(): void {
    running.delete(this.pid)
    for (const finalizer of this.onEnd.splice(0)) finalizer()
  }

  /** The process ends here. */
  readonly kill = (): void => {
    this.isKilled = true
    this.end()
    Deferred.unsafeDone(this.stopped, Effect.void)
  }

  /** The process has ended, with all that it had begun. */
  readonly ended = Effect.promise(async () => {
    await Promise.all(this.abandoned)
    this.end()
  })
}
