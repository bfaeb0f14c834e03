/** A program run by several streams at once that share a store, and by one more after them. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Outcome, TranslateClient, TranslationStore } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import type { Program } from "./program.js"
import { type Element, served, source, textsOf, toElement, translated } from "./run.js"
import type { Trace } from "./trace.js"

/** So many streams at once; every other one reads the corpus from its end. */
const streams = 3

/** Larger texts are sent in parts, of which each claims the whole. */
const longest = 300

/** The program with texts that are sent as they are, so that the ledger counts what the service does. */
const adapted = (program: Program): Program => {
  const { placeholders: _, dedupe: __, ...options } = program.options
  return {
    ...program,
    options,
    rows: program.rows.map((texts) => texts.map((text) => text?.slice(0, longest)))
  }
}

/** What one of the streams came to. */
interface Ended {
  readonly pulled: ReadonlyArray<Element>
  readonly outcomes: ReadonlyArray<Outcome.Outcome<Element>>
  readonly isInterrupted: boolean
}

export interface Shared {
  readonly problems: ReadonlyArray<string>
  /** Characters by what became of them. */
  readonly seen: ReadonlyMap<string, number>
}

const runOne = (
  program: Program,
  elements: ReadonlyArray<Element>,
  store: TranslationStore.Service,
  trace: Trace
) =>
  Effect.gen(function* () {
    const { state, stream } = source(program, elements)
    const outcomes: Array<Outcome.Outcome<Element>> = []
    const fiber = yield* translated(program, stream, { store }).pipe(
      Stream.runForEachChunk((chunk) => {
        for (const outcome of chunk) outcomes.push(outcome)
        return trace.outcomes(chunk)
      }),
      Effect.fork
    )
    if (program.end._tag === "interrupted") {
      yield* Effect.fork(Effect.delay(Fiber.interrupt(fiber), program.end.after))
    }
    const exit = yield* Fiber.await(fiber)
    const ended: Ended = {
      pulled: elements.slice(0, state.pulled),
      outcomes,
      isInterrupted: Exit.isInterrupted(exit)
    }
    return ended
  })

const charactersOf = (texts: Iterable<string>): number => {
  let sum = 0
  for (const text of texts) sum += TranslateClient.characters(text)
  return sum
}

/** The texts that are translated in some outcomes; `isPaid` leaves those out that an outcome has from the store. */
const translatedIn = (outcomes: ReadonlyArray<Outcome.Outcome<Element>>, isPaid: boolean) =>
  outcomes.flatMap((outcome) => {
    const { cached, translated } = outcome.texts
    if (isPaid ? translated === 0 || cached > 0 : translated + cached === 0) return []
    const failed = new Set(Outcome.isFailed(outcome) ? outcome.failures.map(({ field }) => field) : [])
    return textsOf(outcome.source).flatMap(([field, text]) =>
      typeof text === "string" && text.trim() !== "" && !failed.has(field) ? [text.trim()] : []
    )
  })

export const runShared = (given: Program, trace: Trace): Effect.Effect<Shared> => {
  const program = adapted(given)
  const elements = program.rows.map((texts, id) => toElement(program, texts, id))
  return Effect.gen(function* () {
    const store = yield* TranslationStore.makeMemory({
      pollInterval: program.transport === "in process" ? "100 millis" : "5 millis"
    })
    const emulator = yield* Emulator.Emulator
    const ended = yield* Effect.forEach(
      Array.from({ length: streams }, (_, index) => (index % 2 === 0 ? elements : elements.toReversed())),
      (elements, index) =>
        runOne(
          index === 0 ? program : { ...program, end: { _tag: "all", after: 0 } },
          elements,
          store,
          trace
        ),
      { concurrency: "unbounded" }
    )
    const stored = new Set(
      Chunk.toReadonlyArray(yield* Stream.runCollect(store.entries)).map(({ source }) => source)
    )
    const after = yield* runOne({ ...program, end: { _tag: "all", after: 0 } }, elements, store, trace)
    const meter = yield* emulator.meter
    const { answered, inFlight, unknown } = (yield* store.stats).attempts

    const problems: Array<string> = []
    const check = (holds: boolean, problem: string) => {
      if (!holds) problems.push(problem)
    }
    for (const { isInterrupted, outcomes, pulled } of [...ended, after]) {
      check(
        isInterrupted ? outcomes.length <= pulled.length : outcomes.length === pulled.length,
        `${outcomes.length} outcomes of ${pulled.length} elements`
      )
      for (const { source, texts } of outcomes) {
        const { cached, failed, skipped, translated } = texts
        check(translated + cached + skipped + failed === textsOf(source).length, "an outcome does not add up")
      }
      for (const text of translatedIn(outcomes, false))
        check(isInterrupted || stored.has(text) || outcomes === after.outcomes, "a translation is not stored")
    }
    const again = translatedIn(after.outcomes, true).filter((text) => stored.has(text))
    check(again.length === 0, `${again.length} stored texts were sent again`)
    check(inFlight.attempts === 0, `${inFlight.attempts} requests have no end in the ledger`)
    check(
      answered.characters <= meter.characters && meter.characters <= answered.characters + unknown.characters,
      `billed are ${meter.characters}, the ledger has ${answered.characters} answered and ${unknown.characters} unknown`
    )
    const outcomes = [...ended, after].flatMap(({ outcomes }) => outcomes)
    const paid = outcomes.reduce((sum, { cost }) => sum + cost.characters, 0)
    check(paid <= meter.characters, `the outcomes cost ${paid}, billed are ${meter.characters}`)
    const distinct = charactersOf(new Set(translatedIn(outcomes, false)))
    // Parts of a text were translated, and another one is refused: the outcome names their cost.
    const inVain = outcomes
      .filter(Outcome.isFailed)
      .reduce(
        (sum, outcome) =>
          sum + Math.max(0, outcome.cost.characters - charactersOf(translatedIn([outcome], true))),
        0
      )
    check(
      meter.characters - distinct <= unknown.characters + inVain,
      `${meter.characters} are billed for ${distinct}, in doubt are ${unknown.characters}, in vain ${inVain}`
    )
    const seen = new Map([
      ["shared: characters answered", answered.characters],
      ["shared: characters in doubt", unknown.characters],
      ["shared: texts cached", outcomes.reduce((sum, { texts }) => sum + texts.cached, 0)],
      ["shared: texts translated", outcomes.reduce((sum, { texts }) => sum + texts.translated, 0)]
    ])
    return { problems, seen }
  }).pipe(served(program, trace), Effect.orDie)
}
