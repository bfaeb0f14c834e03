import * as Duration from "effect/Duration"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Outcome from "../Outcome.js"
import type * as Progress from "./progressState.js"

/** A total. An estimate that has proved too small says nothing of the rest. */
const totalOf = (
  total: number | undefined,
  done: number,
  { isEstimate = false }: Progress.Options
): number | undefined => (isEstimate && total !== undefined && done > total ? undefined : total)

const summed = ["done", "characters", "ambiguousCharacters", "requests", "retries"] as const

/** The counts of the streams into a language so far. */
export class TargetCounts {
  texts = Outcome.sumTexts([])
  private readonly cost = { characters: 0, ambiguousCharacters: 0 }
  private readonly inFlight = { texts: 0, characters: 0 }
  private readonly refusals: Record<string, number> = {}
  private requests = 0
  private retries = 0

  constructor(
    private readonly targetLang: string | undefined,
    private readonly total: number | undefined,
    private readonly options: Progress.Options
  ) {}

  sent(texts: number, characters: number): void {
    this.inFlight.texts += texts
    this.inFlight.characters += characters
  }

  repeated(characters: number): void {
    this.inFlight.characters += characters
  }

  ended(
    inFlight: { readonly texts: number; readonly characters: number },
    requests: number,
    { ambiguousCharacters, characters }: Outcome.Cost,
    error: string | undefined
  ): void {
    this.inFlight.texts -= inFlight.texts
    this.inFlight.characters -= inFlight.characters
    this.requests += requests
    this.retries += Math.max(0, requests - 1)
    this.cost.characters += characters
    this.cost.ambiguousCharacters += ambiguousCharacters
    if (error !== undefined && requests > 0) this.refusals[error] = (this.refusals[error] ?? 0) + 1
  }

  /** Counts outcomes, and returns them by kind. */
  emitted(elements: ReadonlyArray<Outcome.Outcome<unknown, unknown>>): Outcome.Texts {
    const texts = Outcome.sumTexts(elements)
    this.texts = Outcome.sumTexts([this, { texts }])
    return texts
  }

  get done(): number {
    const { cached, failed, skipped, translated } = this.texts
    return translated + cached + skipped + failed
  }

  get state(): Progress.TargetState {
    const { cost, done, inFlight, options, refusals, requests, retries, targetLang, texts, total } = this
    return {
      targetLang,
      ...texts,
      done,
      total: totalOf(total, done, options),
      ...cost,
      requests,
      retries,
      refusals: { ...refusals },
      inFlight: { ...inFlight }
    }
  }
}

/** The counts of all streams of a job so far. */
export class Counts {
  private readonly targets = new Map<string | undefined, TargetCounts>()
  private readonly total: number | undefined
  /** The tag of the error that requests wait for, and when one is sent again, in milliseconds of the clock. */
  outage: { readonly error: string; readonly retryAt: number | undefined } | undefined

  constructor(private readonly options: Progress.Options) {
    const { totals } = options
    for (const [code, total] of Object.entries(totals ?? {})) {
      const targetLang = LanguageCode.canonical(code)
      this.targets.set(targetLang, new TargetCounts(targetLang, total, options))
    }
    this.total = options.total ?? (totals && Object.values(totals).reduce((sum, total) => sum + total, 0))
  }

  /** The counts of a language. */
  of(targetLang: string | undefined): TargetCounts {
    let target = this.targets.get(targetLang)
    if (target === undefined) {
      target = new TargetCounts(targetLang, undefined, this.options)
      this.targets.set(targetLang, target)
    }
    return target
  }

  get done(): number {
    let done = 0
    for (const target of this.targets.values()) done += target.done
    return done
  }

  state(now: number, rate: number): Progress.State {
    const { options, outage } = this
    const counts = Array.from(this.targets.values())
    const targets = counts.map(({ state }) => state)
    const sum = Object.fromEntries(
      summed.map((name) => [name, targets.reduce((sum, target) => sum + target[name], 0)])
    ) as Record<(typeof summed)[number], number>
    const total = totalOf(this.total, sum.done, options)
    const inFlight = { texts: 0, characters: 0 }
    const refusals: Record<string, number> = {}
    for (const target of targets) {
      inFlight.texts += target.inFlight.texts
      inFlight.characters += target.inFlight.characters
      for (const [tag, count] of Object.entries(target.refusals)) {
        refusals[tag] = (refusals[tag] ?? 0) + count
      }
    }
    return {
      ...Outcome.sumTexts(counts),
      ...sum,
      total,
      refusals,
      inFlight,
      targets,
      outage: outage?.error,
      nextTry: outage?.retryAt === undefined ? undefined : Duration.millis(Math.max(0, outage.retryAt - now)),
      cost:
        options.pricePerMillion === undefined
          ? undefined
          : costOf(sum, inFlight.characters, options.pricePerMillion),
      rate,
      timeLeft:
        total === undefined || rate === 0 ? undefined : Duration.seconds(Math.max(0, total - sum.done) / rate)
    }
  }
}

const costOf = (
  { ambiguousCharacters, characters }: Outcome.Cost,
  inFlight: number,
  price: number
): NonNullable<Progress.State["cost"]> => ({
  least: (characters * price) / 1_000_000,
  most: ((characters + ambiguousCharacters + inFlight) * price) / 1_000_000
})
