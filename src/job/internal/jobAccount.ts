import type * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as LanguageCode from "../../api/LanguageCode.js"
import * as FailedUnits from "../../stream/FailedUnits.js"
import * as Outcome from "../../stream/Outcome.js"
import * as Progress from "../../stream/Progress.js"
import { type Observer, observe } from "../../stream/ProgressObserver.js"
import { JobHalted, TooManyFailed } from "../JobError.js"
import * as canonicalTarget from "./canonicalTarget.js"
import type * as JobSource from "./contract.js"
import type { Job } from "./jobOptions.js"
import { addOnlyPlaceholders, mostNamed } from "./observedOutcomes.js"
import type * as JobReport from "./reportSchema.js"
import { describe } from "./reportSchema.js"

/** From how many texts on the share of those that failed is judged. */
const judgedFrom = 100

/** The counts of the streams into a language. */
class TargetCounts {
  requests = 0
  retries = 0
  characters = 0
  ambiguousCharacters = 0
  inFlight = 0
  readonly refusals: Record<string, number> = {}

  /** The progress of these streams, which is the job's too. */
  observe(observer: Observer): Observer {
    return {
      ...observer,
      sent: (texts, characters) => {
        const batch = observer.sent(texts, characters)
        let held = characters
        this.inFlight += characters
        return {
          repeated: () => {
            held += characters
            this.inFlight += characters
            batch.repeated()
          },
          ended: (requests, cost, error) => {
            this.inFlight -= held
            this.requests += requests
            this.retries += Math.max(0, requests - 1)
            this.characters += cost.characters
            this.ambiguousCharacters += cost.ambiguousCharacters
            if (error !== undefined && requests > 0) this.refusals[error] = (this.refusals[error] ?? 0) + 1
            batch.ended(requests, cost, error)
          }
        }
      }
    }
  }
}

/** Units that are told one by one. */
interface Listed {
  readonly failed: ReadonlyArray<FailedUnits.FailedUnit>
  readonly flagged: ReadonlyArray<FailedUnits.FailedUnit>
}

/** A source in one language. */
export class Output {
  private tally = Outcome.zero
  private state: JobReport.Output["state"] = "unfinished"
  private output: string | undefined
  private error: JobReport.Reason | undefined
  private stale: JobReport.Output["stale"] = []
  private deleted: JobSource.Written["deleted"] & {} = []
  private unknown: JobReport.Output["unknown"]
  private byPersons = 0
  private corrections = 0
  private selection: JobReport.Output["selection"]
  private dropped = 0
  private readonly unread: Array<string> = []
  private unreadCount = 0
  private onlyPlaceholders: JobReport.Output["onlyPlaceholders"]
  private begun: number | undefined
  private last = 0

  constructor(
    readonly source: string,
    readonly targetLang: LanguageCode.TargetLanguage
  ) {}

  begin(now: number): void {
    this.begun = now
    this.last = now
  }

  /** Units as the job tells of them. */
  unitsOf({ units = [] }: JobSource.Observed): ReadonlyArray<JobSource.UnitOutcome> {
    return units.map(({ source = this.source, ...unit }) => ({
      ...unit,
      source,
      targetLang: this.targetLang
    }))
  }

  /** Takes an outcome. Returns the units of it that are listed. */
  observe({
    cost,
    dropped = 0,
    failures,
    flagged = [],
    onlyPlaceholders,
    texts
  }: JobSource.Observed): Listed {
    this.dropped += dropped
    for (const { error, text } of failures) {
      if (text !== undefined) continue
      this.unreadCount++
      if (this.unread.length < mostNamed) this.unread.push(error.message)
    }
    this.tally = Outcome.add(this.tally, { texts, cost })
    this.onlyPlaceholders = addOnlyPlaceholders(this.onlyPlaceholders, onlyPlaceholders)
    const { targetLang } = this
    return {
      failed: FailedUnits.ofFailures(failures, cost.ambiguousCharacters).map(
        ({ source = this.source, ...unit }) => ({ ...unit, source, targetLang })
      ),
      flagged: flagged.map(({ source = this.source, ...unit }) => ({
        ...unit,
        source,
        targetLang,
        reason: "Flagged",
        message: unit.findings.map(({ explanation }) => explanation).join(" "),
        ambiguousCharacters: 0
      }))
    }
  }

  /** Something was done for it. */
  touch(now: number): void {
    this.last = now
  }

  written({
    byPersons = 0,
    corrections = 0,
    deleted = [],
    output,
    selection,
    stale,
    state,
    unknown
  }: JobSource.Written): void {
    this.unknown = unknown
    this.deleted = deleted
    this.selection = selection
    this.state = state
    this.byPersons = byPersons
    this.corrections = corrections
    this.output = output
    this.stale = stale
  }

  fail(error: unknown): void {
    this.state = "failed"
    this.error = describe(error)
  }

  get texts(): Outcome.Tally {
    return this.tally
  }

  /** From when to when it was under way. */
  get span(): readonly [begin: number, end: number] | undefined {
    return this.begun === undefined ? undefined : [this.begun, this.last]
  }

  get report(): JobReport.Output {
    const { byPersons, corrections, dropped, error, onlyPlaceholders, output, selection, source } = this
    const { deleted, stale, state, tally, targetLang, unknown, unread, unreadCount } = this
    return {
      source,
      targetLang,
      ...(output === undefined ? {} : { output }),
      state,
      ...(error === undefined ? {} : { error }),
      tally,
      ...(byPersons === 0 ? {} : { byPersons }),
      ...(corrections === 0 ? {} : { corrections }),
      ...(onlyPlaceholders === undefined ? {} : { onlyPlaceholders }),
      ...(unknown === undefined ? {} : { unknown }),
      ...(deleted.length === 0 ? {} : { deleted }),
      ...(selection === undefined ? {} : { selection }),
      ...(dropped === 0 ? {} : { dropped }),
      ...(unreadCount === 0 ? {} : { unread: { records: unreadCount, messages: unread } }),
      stale
    }
  }
}

/** The results of a job so far. */
export class Account<E> {
  readonly outputs: ReadonlyArray<Output>
  private readonly counts: ReadonlyMap<string, TargetCounts>
  private failed = 0
  private texts = 0
  /** The error that has ended the job. */
  private reason: { readonly error: E | TooManyFailed | JobHalted } | undefined

  constructor(
    private readonly job: Job<unknown, unknown, E, unknown>,
    /** The languages in their canonical form. */
    readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>,
    readonly startedAt: DateTime.Utc,
    private readonly clock: Clock.Clock
  ) {
    this.counts = new Map(targets.map((targetLang) => [targetLang, new TargetCounts()]))
    this.outputs = job.sources.flatMap(({ name }) =>
      targets.map((targetLang) => new Output(name, targetLang))
    )
  }

  get now(): number {
    return this.clock.unsafeCurrentTimeMillis()
  }

  /** The progress of the streams into a language. */
  progressOf(targetLang: string): Pick<Progress.Progress, typeof observe> {
    const begin = this.job.progress?.[observe] ?? Progress.metered
    const counts = this.counts.get(targetLang)!
    return { [observe]: (languages) => counts.observe(begin(languages)) }
  }

  /** Takes outcomes. Returns the units that are listed. */
  observe(output: Output, outcomes: ReadonlyArray<JobSource.Observed>): Listed {
    const { sourceLang } = this.job.options ?? {}
    const complete = (unit: FailedUnits.FailedUnit) =>
      sourceLang === undefined ? unit : { ...unit, sourceLang }
    const listed: { [Name in keyof Listed]: Array<FailedUnits.FailedUnit> } = { failed: [], flagged: [] }
    for (const outcome of outcomes) {
      const { cached, failed, translated } = outcome.texts
      this.failed += failed
      this.texts += translated + cached + failed
      const { failed: failures, flagged } = output.observe(outcome)
      for (const unit of failures) listed.failed.push(complete(unit))
      for (const unit of flagged) listed.flagged.push(complete(unit))
    }
    output.touch(this.now)
    return listed
  }

  /** The first reason counts. */
  stop(error: E | TooManyFailed | JobHalted): void {
    this.reason ??= { error }
  }

  /** Texts of the whole job, if that is known. */
  get total(): Effect.Effect<number | undefined> {
    const { progress } = this.job
    return progress === undefined
      ? Effect.succeed(undefined)
      : Effect.map(progress.state, ({ total }) => total)
  }

  get isPilot(): boolean {
    return this.job.limit !== undefined
  }

  get isStopped(): boolean {
    return this.reason !== undefined
  }

  /** Stops the job if too many texts have failed, those of outcomes included that it was not told of yet. */
  judge(
    from = judgedFrom,
    untold: ReadonlyArray<Pick<Outcome.Common<unknown, unknown>, "texts">> = []
  ): void {
    const { maxFailedShare } = this.job
    if (maxFailedShare === undefined) return
    const more = Outcome.sumTexts(untold)
    const failed = this.failed + more.failed
    const texts = this.texts + more.translated + more.cached + more.failed
    if (texts >= from && failed > texts * maxFailedShare) {
      this.stop(new TooManyFailed({ failed, texts, maxFailedShare }))
    }
  }

  /** The job was halted: that ends it, if anything was left. */
  halt(): void {
    const isLeft = this.outputs.some(({ report: { state } }) => state === "unfinished" || state === "partial")
    if (isLeft) this.stop(new JobHalted())
  }

  /** Fails if the job has ended. */
  readonly proceed: Effect.Effect<void, E | TooManyFailed | JobHalted> = Effect.suspend(() =>
    this.reason === undefined ? Effect.void : Effect.fail(this.reason.error)
  )

  get targetReports(): ReadonlyArray<JobReport.Target> {
    const { pricePerMillion } = this.job
    return this.targets.map((targetLang) => {
      const outputs = this.outputs.filter((output) => output.targetLang === targetLang)
      const { ambiguousCharacters, characters, inFlight, refusals, requests, retries } =
        this.counts.get(targetLang)!
      const range = { least: characters, most: characters + ambiguousCharacters + inFlight }
      const { ambiguousCharacters: _, characters: __, ...texts } = sumOf(outputs)
      return {
        targetLang,
        ...texts,
        characters: range,
        ...(pricePerMillion === undefined
          ? {}
          : {
              cost: {
                least: (range.least * pricePerMillion) / 1_000_000,
                most: (range.most * pricePerMillion) / 1_000_000
              }
            }),
        requests,
        retries,
        refusals,
        took: tookOf(outputs)
      }
    })
  }
}

/** The time that some of them were under way: several at a time count once. */
const tookOf = (outputs: ReadonlyArray<Output>): number => {
  let took = 0
  let until = 0
  for (const [begin, end] of outputs
    .flatMap(({ span }) => (span === undefined ? [] : [span]))
    .sort(([a], [b]) => a - b)) {
    took += Math.max(0, end - Math.max(begin, until))
    until = Math.max(until, end)
  }
  return took
}

const sumOf = (outputs: ReadonlyArray<Output>): Outcome.Tally =>
  outputs.reduce<Outcome.Tally>(
    (sum, { texts: { ambiguousCharacters, characters, in: _, ...texts } }) =>
      Outcome.add(sum, { texts, cost: { ambiguousCharacters, characters } }),
    Outcome.zero
  )

/** The account of a job that begins. */
export const make = <E>(job: Job<unknown, unknown, E, unknown>): Effect.Effect<Account<E>> =>
  Effect.zipWith(
    DateTime.now,
    Effect.clock,
    (startedAt, clock) => new Account(job, job.targets.map(canonicalTarget.langOf), startedAt, clock)
  )
