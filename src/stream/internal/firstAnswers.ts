import { hash } from "../../internal/hash.js"
import * as AnswerFault from "../../text/AnswerFault.js"
import { ImplausibleAnswers } from "../ImplausibleAnswers.js"

/** Takes the texts of an answer as they are, or the error that they have ended the job with. */
type Settle = (error: ImplausibleAnswers | undefined) => void

/** A stream of the job. */
interface Member {
  /** It may be possible to go on. */
  readonly wake: () => void
}

/** An answer that looks wrong. */
interface Suspicion {
  /** The hashes of its texts. */
  readonly texts: ReadonlyArray<string>
  /** The translation that all of them have. */
  readonly constant?: string | undefined
}

/** The judgement of a service by its answers, in JSON. */
export type KnownAnswers = "trusted" | Suspicion | Pick<ImplausibleAnswers, "fault" | "texts">

/** The number of further answers without a verdict after which the service is taken to translate. */
const mostUnclear = 3

/** The most texts that are judged together. */
const mostPairs = 50

/**
 * Judges by the first answers of a job if the service translates at all. Until one was judged, no other request is sent by any stream of
 * the job. An answer that is no translation waits for that to a second request of other texts.
 */
export class FirstAnswers {
  /** The number of requests in flight. */
  inFlight = 0
  /** True once the service is taken to translate. */
  isTrusted = false
  /** True once an answer has come, and nothing is suspected. */
  private isOpen = false
  private suspicion: Suspicion | undefined
  private unclear = 0
  private pairs: Array<AnswerFault.Pair> = []
  /** Answers that wait, by their streams. */
  readonly held = new Map<Member, Array<Settle>>()
  /** True once a stream has nothing else to send, and holds an answer until other processes have told. */
  isEnding = false
  /** True once a stream was told to wait. */
  private isWaitedFor = false
  private readonly members = new Set<Member>()
  /** Texts whose translations were flagged and asked for once more in this job, with their languages. */
  readonly askedAgain = new Set<string>()
  /** The error that has ended the job. */
  error: ImplausibleAnswers | undefined

  /** Streams of the job in other processes are told by `onIdle`, once no request of this one is in flight. Without it there are none. */
  constructor(private readonly onIdle?: () => void) {}

  /** The judgement for other workers; `undefined` before there is one. */
  get known(): KnownAnswers | undefined {
    const { error } = this
    if (error !== undefined) return { fault: error.fault, texts: error.texts }
    return this.isTrusted ? "trusted" : this.suspicion
  }

  /** Takes over the judgement of others. */
  learn(known: KnownAnswers | undefined): void {
    if (known === undefined || this.isTrusted || this.error !== undefined) return
    if (known === "trusted") this.trust()
    else if ("fault" in known) this.end(known)
    else if (this.suspicion === undefined) this.suspect(known)
  }

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
    this.isEnding = this.isEnding && this.held.size > 0
    this.begun(-inFlight)
  }

  /** Counts further requests in flight. */
  begun(requests: number): void {
    this.inFlight += requests
    if (requests >= 0) return
    this.wakeAll()
    if (this.inFlight === 0 && !this.isTrusted) this.onIdle?.()
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

  /** Settles the held answers of a stream that has nothing else to send, unless others may: `false` if it stays. */
  release(member: Member): boolean {
    if (this.onIdle === undefined) return this.settle(member)
    this.isEnding = true
    this.onIdle()
    return false
  }

  /** Settles the held answers of a stream; `false` if there are none. */
  settle(member: Member): boolean {
    const held = this.held.get(member)
    this.held.delete(member)
    this.isEnding = this.isEnding && this.held.size > 0
    for (const settle of held ?? []) settle(this.error)
    return held !== undefined
  }

  /** Settles the held answers of all streams, since nothing more is sent. */
  settleAll(): void {
    if (this.held.size > 0) this.isWaitedFor = true
    for (const member of Array.from(this.held.keys())) this.settle(member)
    this.wakeAll()
  }

  /** Judges an answer. Returns true if it waits for the next one. */
  private isSuspect(pairs: ReadonlyArray<AnswerFault.Pair>): boolean {
    const { suspicion } = this
    const others =
      suspicion === undefined ? pairs : pairs.filter(({ source }) => !suspicion.texts.includes(hash(source)))
    this.pairs.push(...others)
    const verdict = AnswerFault.find(this.pairs, {
      least: suspicion === undefined ? undefined : 1,
      constant: suspicion?.constant
    })
    if (verdict === "none") this.trust()
    else if (verdict === "unclear") this.goOn()
    else if (suspicion === undefined) {
      this.suspect({
        texts: Array.from(new Set(pairs.map(({ source }) => hash(source)))),
        constant: verdict === "constant" ? pairs.at(-1)?.translation : undefined
      })
      return true
    } else this.end({ fault: verdict, texts: suspicion.texts.length + others.length })
    return false
  }

  /** Nothing can be told of the last answer. */
  private goOn(): void {
    this.unclear++
    if (this.suspicion === undefined) this.isOpen = true
    const isLong = this.pairs.length >= mostPairs || (!this.isOpen && this.unclear >= mostUnclear)
    if (isLong) this.trust()
  }

  private suspect(suspicion: Suspicion): void {
    this.isOpen = false
    this.suspicion = suspicion
    this.unclear = 0
    this.pairs = []
  }

  private trust(): void {
    this.isTrusted = true
    this.pairs = []
    this.settleAll()
    this.onIdle?.()
  }

  private end(found: Pick<ImplausibleAnswers, "fault" | "texts">): void {
    this.error = new ImplausibleAnswers(found)
    this.settleAll()
  }

  private wakeAll(): void {
    if (!this.isWaitedFor && this.error === undefined) return
    this.isWaitedFor = false
    for (const { wake } of this.members) wake()
  }
}
