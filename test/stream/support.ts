/** A translator that answers as a test wants, sources that count what is pulled, and an emulator to translate with. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Outcome, RetryPolicy, TranslateClient, TranslateError, Translator } from "effect-translate"
import { Emulator, type Fault } from "effect-translate/emulator"
import { emulatedInProcess } from "../support/emulator.js"
import { quickProbes, retries } from "../support/retries.js"

export const de = { targetLang: "de" }

/** Texts that are too large fail instead of being cut. */
export const uncut = { ...de, oversized: "fail" } as const

export const maxBytes = 131072

/** The bytes of a body as it stands on the wire. */
export const bodyBytes = (texts: ReadonlyArray<string>, options: object = {}): number =>
  Buffer.byteLength(
    JSON.stringify({ text: texts, target_lang: "de", show_billed_characters: true, ...options })
  )

/** What the fake makes of a text. */
export const mark = (text: string): string => `<${text}>`

/** The translation of a text by a stream with the fake: the whitespace around it stays as it is. */
export const marked = (text: string): string => text.replace(text.trim(), mark)

/** What the emulator makes of a text without Latin vowels. */
export const german = (text: string): string => `[de] ${text}`

export const numbered = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `t${index}`)

type Answer = Effect.Effect<unknown, TranslateError.CallError>

/** Marks texts, after whatever a test does to the batch, and keeps what it was given. */
export const fake = (work: (texts: ReadonlyArray<string>, call: number) => Answer = () => Effect.void) => {
  const calls: Array<ReadonlyArray<string>> = []
  const state = { inFlight: 0, maxInFlight: 0, interrupted: 0, completed: 0 }
  const service = Translator.Translator.of({
    translate: (texts) =>
      Effect.suspend(() => {
        const call = calls.push(texts) - 1
        state.inFlight++
        state.maxInFlight = Math.max(state.maxInFlight, state.inFlight)
        return work(texts, call).pipe(
          Effect.map(() => {
            state.completed++
            return answerOf(texts)
          }),
          Effect.onInterrupt(() => Effect.sync(() => state.interrupted++)),
          Effect.ensuring(Effect.sync(() => state.inFlight--))
        )
      }),
    identify: () => Effect.succeed({ service: "name:fake", account: "name:fake" })
  })
  return { calls, state, service, provide: provide(service) }
}

export const answerOf = (
  texts: ReadonlyArray<string>,
  ambiguousAttempts = 0
): TranslateClient.Translated => ({
  translations: texts.map((text) => ({
    text: mark(text)
  })) as unknown as TranslateClient.Translated["translations"],
  attempts: 1 + ambiguousAttempts,
  ambiguousAttempts
})

export const provide = (service: Translator.Service) => Effect.provideService(Translator.Translator, service)

const evidence = {
  method: "POST",
  path: "/v2/translate",
  delivery: "rejected",
  attempts: 1,
  ambiguousAttempts: 0
} as const

export const payloadTooLarge = new TranslateError.PayloadTooLarge({ ...evidence, status: 413 })

export const badRequest = new TranslateError.BadRequest({ ...evidence, status: 400 })

export const rateLimited = new TranslateError.RateLimited({ ...evidence, attempts: 6, status: 429 })

/** No refusal: it says nothing of the texts, nor of the options. */
export const unavailable = new TranslateError.ServerError({ ...evidence, attempts: 6, status: 503 })

/** Nobody knows whether it was billed. */
export const inDoubt = new TranslateError.ServerError({
  ...evidence,
  delivery: "ambiguous",
  ambiguousAttempts: 1,
  status: 500
})

export const unauthorized = new TranslateError.Unauthorized({ ...evidence, status: 403 })

export const quotaExceeded = new TranslateError.QuotaExceeded({ ...evidence, status: 456 })

/** Until a request has succeeded, a stream sends one at a time: this lets the first through, and then does the work. */
export const afterFirst =
  (work: (texts: ReadonlyArray<string>, call: number) => Answer) =>
  (texts: ReadonlyArray<string>, call: number): Answer =>
    call === 0 ? Effect.void : work(texts, call)

/** Lets other fibers run for some random turns. */
export const randomTurns = (most: number): Effect.Effect<void> =>
  Effect.suspend(() => Effect.repeatN(Effect.yieldNow(), Math.floor(Math.random() * most)))

/** A source that counts what is pulled, and tells when it is closed. */
export const counted = <A>(count: number, element: (index: number) => A, chunkSize = 1) => {
  const state = { pulled: 0, opened: 0, closed: 0 }
  const next: Effect.Effect<Chunk.Chunk<A>, Option.Option<never>> = Effect.suspend(() => {
    const size = Math.min(chunkSize, count - state.pulled)
    if (size === 0) return Effect.fail(Option.none())
    const start = state.pulled
    state.pulled += size
    return Effect.succeed(
      Chunk.unsafeFromArray(Array.from({ length: size }, (_, index) => element(start + index)))
    )
  })
  const stream = Stream.acquireRelease(
    Effect.sync(() => {
      state.opened++
    }),
    () => Effect.sync(() => state.closed++)
  ).pipe(Stream.flatMap(() => Stream.repeatEffectChunkOption(next)))
  return { state, stream }
}

/** A source of the given chunks. */
export const chunked = <A>(elements: ReadonlyArray<A>, size: number): Stream.Stream<A> =>
  counted(elements.length, (index) => elements[index]!, size).stream

export const collect = <A, E, R>(self: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(self), Chunk.toReadonlyArray)

/** What came out, and how it ended. */
export const drain = <A, E, R>(
  self: Stream.Stream<A, E, R>
): Effect.Effect<{ readonly out: ReadonlyArray<A>; readonly exit: Exit.Exit<void, E> }, never, R> =>
  Effect.suspend(() => {
    const out: Array<A> = []
    return self.pipe(
      Stream.runForEach((element) => Effect.sync(() => out.push(element))),
      Effect.exit,
      Effect.map((exit) => ({ out, exit }))
    )
  })

export const failsWith = (exit: Exit.Exit<unknown, unknown>): unknown =>
  exit._tag === "Failure" && exit.cause._tag === "Fail" ? exit.cause.error : exit

export const tags = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>): ReadonlyArray<string> =>
  outcomes.map(({ _tag }) => _tag)

export const values = <B>(outcomes: ReadonlyArray<Outcome.Outcome<B, unknown>>): ReadonlyArray<B> =>
  outcomes.map(({ value }) => value)

/** The cause of each failed element, else its tag. */
export const causes = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>): ReadonlyArray<string> =>
  outcomes.map((outcome) => (outcome._tag === "Failed" ? outcome.failures[0].error._tag : outcome._tag))

const turn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** Waits until a number holds still. */
export const still = (read: () => number): Effect.Effect<number> =>
  Effect.gen(function* () {
    let last = Number.NaN
    for (let same = 0; same < 8; same = read() === last ? same + 1 : 0) {
      last = read()
      yield* turn
    }
    return last
  })

/** Waits until something holds. */
export const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.zipRight(turn, until(holds))))

/** An emulator in the process, and a client of it that probes at once. */
export const served = ({ client, ...options }: Emulator.ClientOptions = {}) =>
  emulatedInProcess({ ...options, client: { circuit: quickProbes, ...client } })

export const meter = Effect.flatMap(Emulator.Emulator, (emulator) => emulator.meter)

export const script = (...faults: ReadonlyArray<Fault.Fault>) =>
  Effect.flatMap(Emulator.Emulator, (emulator) => emulator.script(faults))

/** Sends nothing again. */
export const once = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none)

/** Sends again at once, and gives up on no budget. */
export const hasty = RetryPolicy.withRetryPolicy({ schedule: retries(5, "1 millis"), ambiguousBudget: 1000 })

export const charactersOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + TranslateClient.characters(text), 0)
