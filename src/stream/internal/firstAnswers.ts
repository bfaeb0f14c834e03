import * as AnswerFault from "../../text/AnswerFault.js"
import { ImplausibleAnswers } from "../ImplausibleAnswers.js"

/** Takes the texts of an answer as they are, or the error that they have ended the job with. */
type Settle = (error: ImplausibleAnswers | undefined) => void

/** A stream of the job. */
interface Member {
  /** It may be possible to go on. */
  readonly wake: () => void
}

interface Suspicion {
  readonly texts: ReadonlySet<string>
  /** The last translation, which may be that of all texts. */
  readonly translation: string | undefined
}

/** After so many more answers of which nothing can be told, the service is taken to translate. */
const mostUnclear = 3

/** Of so many texts at most something is told together. */
const mostPairs = 50

/**
 * Judges by the first answers of a job if the service translates at all. Until one was judged, no other request is sent by any stream of
 * the job. An answer that is no translation waits for that to a second request of other texts.
 */
export class FirstAnswers {
  private inFlight = 0
  private isTrusted = false
  /** True once an answer has come, and nothing is suspected. */
  private isOpen = false
  private suspicion: Suspicion | undefined
  private unclear = 0
  private pairs: Array<AnswerFault.Pair> = []
  /** Answers that wait, by their streams. */
  readonly held = new Map<Member, Array<Settle>>()
  /** True once a stream was told to wait. */
  private isWaitedFor = false
  private readonly members = new Set<Member>()
  /** The error that has ended the job. */
  error: ImplausibleAnswers | undefined

  /** True if a request may be sent. */
  get mayBegin(): boolean {
    const mayBegin = this.isTrusted || this.inFlight === 0 || this.isOpen
    if (!mayBegin) this.isWaitedFor = true
    return mayBegin
  }

  join(member: Member): void {
    this.members.add(member)
  }

  /** A stream has ended, with requests in flight if it was interrupted. */
  leave(member: Member, inFlight: number): void {
    this.members.delete(member)
    this.held.delete(member)
    this.begun(-inFlight)
  }

  /** So many more requests are in flight. */
  begun(requests: number): void {
    this.inFlight += requests
    if (requests < 0) this.wakeAll()
  }

  /** Judges an answer, and settles it at once or once the next one was judged. */
  answered(member: Member, pairs: ReadonlyArray<AnswerFault.Pair>, settle: Settle): void {
    if (this.isTrusted || this.error !== undefined) settle(this.error)
    else {
      if (!this.isSuspect(pairs)) settle(this.error)
      else this.held.set(member, [...(this.held.get(member) ?? []), settle])
      this.wakeAll()
    }
  }

  /** Settles what a stream holds that has nothing else to send; `false` if that is nothing. */
  release(member: Member): boolean {
    const held = this.held.get(member)
    this.held.delete(member)
    for (const settle of held ?? []) settle(this.error)
    return held !== undefined
  }

  /** Judges an answer. Returns true if it waits for the next one. */
  private isSuspect(pairs: ReadonlyArray<AnswerFault.Pair>): boolean {
    const { suspicion } = this
    const others =
      suspicion === undefined ? pairs : pairs.filter(({ source }) => !suspicion.texts.has(source))
    this.pairs.push(...others)
    const verdict = AnswerFault.find(this.pairs, {
      least: suspicion === undefined ? undefined : 1,
      constant: suspicion?.translation
    })
    if (verdict === "none") this.trust()
    else if (verdict === "unclear") this.goOn()
    else if (suspicion === undefined) {
      this.isOpen = false
      this.suspicion = {
        texts: new Set(pairs.map(({ source }) => source)),
        translation: pairs.at(-1)?.translation
      }
      this.unclear = 0
      this.pairs = []
      return true
    } else {
      this.error = new ImplausibleAnswers({ fault: verdict, texts: suspicion.texts.size + others.length })
      this.releaseAll()
    }
    return false
  }

  /** Nothing can be told of the last answer. */
  private goOn(): void {
    this.unclear++
    if (this.suspicion === undefined) this.isOpen = true
    const isLong = this.pairs.length >= mostPairs || (!this.isOpen && this.unclear >= mostUnclear)
    if (isLong) this.trust()
  }

  private trust(): void {
    this.isTrusted = true
    this.pairs = []
    this.releaseAll()
  }

  private releaseAll(): void {
    if (this.held.size > 0) this.isWaitedFor = true
    for (const member of Array.from(this.held.keys())) this.release(member)
  }

  private wakeAll(): void {
    if (!this.isWaitedFor && this.error === undefined) return
    this.isWaitedFor = false
    for (const { wake } of this.members) wake()
  }
}
