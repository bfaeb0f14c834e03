/** The attempts that were in flight at a first refusal. */
export interface Round {
  /** The last of them. */
  last: number
  inFlight: number
  /** The number of attempts in flight when the refused one began. */
  nth: number
  /** Those that have not ended yet. */
  left: number
  served: number
}

/** Decides how many attempts may be in flight, by their ends. */
export interface Algorithm {
  readonly limit: () => number
  /** The number served at once at the last refusal. */
  readonly ceiling?: () => number | undefined
  /** An attempt was accepted that was the nth in flight. It is saturated if there was no room for another one. */
  readonly accepted?: (nth: number, isSaturated: boolean) => void
  /** An attempt was refused: the first one of those that were in flight together, or another. */
  readonly refused?: (isFirst: boolean) => void
  /**
   * All attempts that were in flight at a first refusal have ended. Returns the result: `served` is the new ceiling, or the
   * rate was too high, or nothing.
   */
  readonly settled?: (round: Round) => "ceiling" | "rate" | undefined
  /** The ceiling is old: one more may be tried. */
  readonly probe?: () => void
}

/** With less than one permit every call would wait for ever. */
const atLeastOne = (permits: number): number => (permits >= 1 ? permits : 1)

export const fixed = (permits: number): Algorithm => ({ limit: () => atLeastOne(permits) })

/** A level that is refused less often than this is refused for other reasons than the number in flight. */
const refusalThreshold = 0.05

/** The number in flight up to which one more or less is a large share: a refusal below a ceiling disproves it at once. */
const few = 3

/** The ends of attempts by the number in flight. */
interface Level {
  accepted: number
  refused: number
}

/** The attempts that a level remembers: enough for a share, and few enough to see that the service has changed. */
const levelMemory = 40

const decrease = 0.7

/**
 * Grows until the first refusal, and then knows how many were served at once. It seldom tries to exceed that ceiling,
 * since a refusal may pause all attempts.
 */
export const adaptive = (initial: number): Algorithm => {
  const levels: Array<Level> = []
  let limit = atLeastOne(initial)
  let limitBefore = limit
  let ceiling = Number.POSITIVE_INFINITY
  let isStarting = true
  let isOld = false
  /** True if attempts were refused below the ceiling. */
  let isDoubted = false
  /** The last ceiling that attempts were accepted beyond. */
  let disproved = Number.NEGATIVE_INFINITY
  let proofs = 0

  const forget = () => {
    isDoubted = false
    disproved = ceiling
    ceiling = Number.POSITIVE_INFINITY
  }

  const levelOf = (nth: number) => {
    levels[nth] ??= { accepted: 0, refused: 0 }
    const level = levels[nth]
    if (level.accepted + level.refused >= levelMemory) {
      level.accepted /= 2
      level.refused /= 2
    }
    return level
  }

  return {
    limit: () => Math.floor(limit),
    ceiling: () => (Number.isFinite(ceiling) ? ceiling : undefined),
    accepted: (nth, isSaturated) => {
      levelOf(nth).accepted++
      if (nth > ceiling && ++proofs >= nth) forget()
      if (!isSaturated) return
      if (limit < ceiling) limit = Math.min(ceiling, limit + (isStarting ? 1 : 1 / limit))
      else if (isOld) {
        isOld = false
        proofs = 0
        limit = ceiling + 1
      }
    },
    refused: (isFirst) => {
      isStarting = false
      if (isFirst) limitBefore = limit
      limit = Math.max(1, limit * decrease)
    },
    settled: ({ inFlight, nth, served }) => {
      const level = levelOf(inFlight)
      level.refused++
      const isOften = level.refused > refusalThreshold * (level.accepted + level.refused)
      // A ceiling explains refusals beyond it. Those below, and those just above a ceiling that did not hold, come from the rate.
      const isBelow = Number.isFinite(ceiling) && nth <= ceiling
      const isOfRate =
        (isBelow && (isDoubted || inFlight <= few)) || inFlight === 1 || served <= disproved + 1
      if (isOften && isOfRate) {
        ceiling = Number.POSITIVE_INFINITY
        limit = limitBefore
        return "rate"
      }
      if (isOften && isBelow) isDoubted = true
      const isCeiling = isOften && served > 0
      if (isCeiling) {
        ceiling = served
        isOld = false
      }
      limit = Math.max(1, Math.min(ceiling, Math.max(limit, Math.min(limitBefore, served))))
      return isCeiling ? "ceiling" : undefined
    },
    probe: () => {
      isOld = true
    }
  }
}

/** The share of the known rate that is sent while nothing is probed. */
const caution = 0.95

/** The time for which a rate is believed before more is tried. */
const holdMillis = 10_000

/** Growth per second: near the known rate, where a refusal is likely, and beyond it, where it no longer holds. */
const growth = { near: 0.01, beyond: 0.1 }

/** Where the second growth begins, and where the rate is forgotten: times the known rate. */
const beyond = 1.1
const forgotten = 2

/** Of refusals that go on at this share of the rate that was known first, the rate is hardly the reason. */
const futile = 0.25

/** A rate that was futile twice in so long a time is not looked for again until `holdMillis` later. */
const futileMillis = 30_000

/** More refusals than this share of the last attempts say that the rate is too high. */
const tolerance = 0.025

/** The attempts of which that share is taken, at least. */
const memory = 80

/** Attempts may be late by this without being lost: timers are. */
const slackMillis = 50

/** The seconds of which it is remembered how many were accepted. */
const remembered = 4

/** The time after which a change is judged. */
const judgedAfterMillis = 1000

/**
 * Finds how many attempts a second a service takes, and spaces them. It is off until the limiter sees that refusals do not
 * come from the number in flight. Then it sends a little less than the accepted rate, seldom tries more, and is off again
 * once twice as much was accepted.
 */
export class Pace {
  /** Per second; infinite while it is off. */
  private rate = Number.POSITIVE_INFINITY
  /** The most that the service is known to take. */
  private known = Number.POSITIVE_INFINITY
  /** The rate that was known first, since it is on. */
  private knownFirst = Number.POSITIVE_INFINITY
  private futileAt = Number.NEGATIVE_INFINITY
  private offUntil = Number.NEGATIVE_INFINITY
  /** When the next attempt is due. */
  private due = 0
  /** True if attempts have waited for it since it grew. */
  private isBinding = false
  private grownAt = 0
  /** The time of its change, and the last attempt by then: later ones tell if the change was right. */
  private changedAt = 0
  private lastBefore = 0
  private acceptedSince = 0
  private recent = { accepted: 0, refused: 0 }
  /** When the first attempt began. */
  private firstAt = Number.NaN
  /** The accepted attempts of this second of the clock, and of those before. */
  private readonly perSecondOfClock: [number, ...Array<number>] = [0, 0, 0, 0]
  private second = 0

  get isOn(): boolean {
    return this.rate !== Number.POSITIVE_INFINITY
  }

  /** The milliseconds until the next attempt may start. */
  wait(now: number): number {
    const wait = this.isOn ? this.due - now : 0
    if (wait <= 0) return 0
    this.isBinding = true
    return wait
  }

  started(now: number): void {
    if (Number.isNaN(this.firstAt)) this.firstAt = now
    if (this.isOn) this.due = Math.max(this.due, now - slackMillis) + 1000 / this.rate
  }

  accepted(now: number): void {
    const second = Math.floor(now / 1000)
    for (let missing = Math.min(remembered, second - this.second); missing > 0; missing--) {
      this.perSecondOfClock.pop()
      this.perSecondOfClock.unshift(0)
    }
    this.second = second
    this.perSecondOfClock[0]++
    if (!this.isOn) return
    this.acceptedSince++
    this.remember("accepted")
    if (this.isBinding) this.grow(now)
  }

  /** Refusals do not come from the number in flight, so they come from the rate: the accepted attempts of a second. */
  start(now: number, lastAttempt: number): void {
    const accepted = this.best(now) / Math.min(1, (now - this.firstAt) / 1000)
    if (!(accepted >= 1) || now < this.offUntil) return
    this.due = now
    this.knownFirst = accepted
    this.change(accepted, now, lastAttempt)
  }

  /** An attempt was refused; the last one by now was `lastAttempt`. One that asks for a pause counts double, as others can't follow. */
  refused(now: number, attempt: number, lastAttempt: number, isPausing: boolean): void {
    if (attempt <= this.lastBefore) return
    const { acceptedSince, changedAt, known, rate, recent } = this
    this.remember("refused", isPausing ? 2 : 1)
    if (recent.refused < 2 || recent.refused < tolerance * (recent.accepted + recent.refused)) return
    const elapsed = now - changedAt
    const measured = (acceptedSince * 1000) / elapsed
    if (rate > known) this.change(this.exceeded(now), now, lastAttempt)
    else if (elapsed < judgedAfterMillis) this.change(rate * 0.8, now, lastAttempt)
    else {
      const next = Math.min(rate, Math.max(measured, rate * (isPausing ? 0.85 : 0.5)))
      if (acceptedSince === 0) this.forget()
      else if (next < futile * this.knownFirst) this.giveUp(now)
      else this.change(next, now, lastAttempt)
    }
  }

  /** The rate was too high, above the known one: the service had saved up some of the accepted attempts. */
  private exceeded(now: number): number {
    const accepted = Math.min(this.rate, this.best(now))
    return Math.max(this.known, (this.known + accepted) / 2, caution * caution * accepted)
  }

  /** The most that was accepted in one of the last seconds: in others a pause may have lasted. */
  private best(now: number): number {
    const passed = Math.floor(now / 1000) - this.second
    return Math.max(0, ...this.perSecondOfClock.slice(0, Math.max(0, remembered - passed)))
  }

  private remember(what: "accepted" | "refused", times = 1): void {
    const { recent } = this
    recent[what] += times
    if (recent.accepted + recent.refused < memory) return
    recent.accepted /= 2
    recent.refused /= 2
  }

  private grow(now: number): void {
    const elapsed = Math.min(now - this.grownAt, 1000)
    this.isBinding = false
    this.grownAt = now
    if (now < this.changedAt + holdMillis) return
    const perSecond = this.rate < beyond * this.known ? growth.near : growth.beyond
    this.rate *= 1 + (perSecond * elapsed) / 1000
    if (this.rate > forgotten * this.known) this.forget()
  }

  private change(known: number, now: number, lastAttempt: number): void {
    this.known = known
    this.rate = known * caution
    this.changedAt = now
    this.lastBefore = lastAttempt
    this.acceptedSince = 0
    this.recent = { accepted: 0, refused: 0 }
  }

  private giveUp(now: number): void {
    if (now < this.futileAt + futileMillis) this.offUntil = now + holdMillis
    this.futileAt = now
    this.forget()
  }

  private forget(): void {
    this.rate = Number.POSITIVE_INFINITY
    this.known = Number.POSITIVE_INFINITY
  }
}
