/** Runs a program against an emulator, and notes all that happens. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Scheduler from "effect/Scheduler"
import * as Stream from "effect/Stream"
import {
  Budget,
  ConcurrencyLimit,
  type Outcome,
  Progress,
  RetryPolicy,
  TranslateClient,
  type TranslateError,
  TranslateStream,
  Translator
} from "effect-translate"
import { Emulator, Fault, type Meter } from "effect-translate/emulator"
import { quickProbes, retries } from "../retries.js"
import * as virtualClock from "../virtualClock.js"
import { eaten, type MaybeText, type Program, poison, toFaults } from "./program.js"
import { ending, hashOf, type Trace } from "./trace.js"

/** What the source fails with at its end, in some programs. */
export class SourceError extends Data.TaggedError("SourceError") {}

/** A batch that the stream handed to the translator, and what became of it. Times are counted in events. */
export interface Call {
  readonly texts: ReadonlyArray<string>
  readonly characters: number
  readonly start: number
  /** How many calls were in flight, this one included. */
  readonly inFlight: number
  end: number
  exit: Exit.Exit<TranslateClient.Translated, TranslateError.TranslateError> | undefined
  /** How often it was sent. */
  requests: number
  /** Which faults happened to its requests; over HTTP that is not known. */
  readonly faults: Array<string>
}

/** The call that a fiber, or one that it has started, works for. */
const currentCall = FiberRef.unsafeMake<Call | undefined>(undefined)

const noteFault = (name: string): void => {
  Option.getOrUndefined(Fiber.getCurrentFiber())?.getFiberRef(currentCall)?.faults.push(name)
}

export type Element = string | { readonly [field: string]: MaybeText } | ReadonlyArray<MaybeText>

export interface Run {
  readonly program: Program
  readonly elements: ReadonlyArray<Element>
  /** The elements that the source has handed out. */
  readonly pulled: number
  readonly outcomes: ReadonlyArray<Outcome.Outcome<Element>>
  readonly exit: Exit.Exit<void, Outcome.StreamError | SourceError>
  /** Whether it was ended from without, before its own end. */
  readonly isCut: boolean
  readonly calls: ReadonlyArray<Call>
  /** Requests that were sent in all, and after the run had ended. */
  readonly requests: number
  readonly late: number
  readonly meter: Meter.Meter
  readonly budget: Budget.State | undefined
  /** How often more was spent than had been held for it. */
  readonly overdrawn: number
  readonly progress: Progress.State
  /** How often the source was opened and closed. */
  readonly opened: number
  readonly closed: number
  readonly milliseconds: number
}

/** Names of fields that hold texts. */
const names = ["title", "note", "label", "hint"]

export const toElement = ({ shape }: Program, texts: ReadonlyArray<MaybeText>, id: number): Element => {
  if (shape === "texts") return texts[0] ?? ""
  if (shape === "lists") return texts
  return Object.fromEntries([
    ["id", String(id)],
    ...texts.flatMap((text, index) => (text === undefined ? [] : [[names[index], text]]))
  ])
}

/** The texts of an element, of a source or of a value, by the names that failures give them. */
export const textsOf = (element: Element): ReadonlyArray<readonly [string | number, MaybeText]> => {
  if (typeof element === "string") return [["text", element]]
  if (Array.isArray(element)) return element.map((text, index) => [index, text] as const)
  return names.map((name) => [name, (element as { readonly [field: string]: MaybeText })[name]] as const)
}

/** A source in chunks that counts what it hands out. */
export const source = (program: Program, elements: ReadonlyArray<Element>) => {
  const state = { pulled: 0, opened: 0, closed: 0 }
  const sizes = program.chunks.some((size) => size > 0) ? program.chunks : [elements.length || 1]
  let chunk = 0
  const next: Effect.Effect<Chunk.Chunk<Element>, Option.Option<SourceError>> = Effect.suspend(() => {
    if (state.pulled === elements.length) {
      return Effect.fail(program.sourceFails ? Option.some(new SourceError()) : Option.none())
    }
    const size = sizes[chunk++ % sizes.length]!
    const found = elements.slice(state.pulled, state.pulled + size)
    state.pulled += found.length
    return Effect.succeed(Chunk.unsafeFromArray(found))
  })
  const paused = program.sourcePause === 0 ? next : Effect.zipRight(Effect.sleep(program.sourcePause), next)
  const stream = Stream.acquireRelease(
    Effect.sync(() => state.opened++),
    () => Effect.sync(() => state.closed++)
  ).pipe(Stream.flatMap(() => Stream.repeatEffectChunkOption(paused)))
  return { state, stream }
}

/** A service that loses what it is asked to keep. */
const eat = (
  texts: ReadonlyArray<string>,
  answer: TranslateClient.Translated
): TranslateClient.Translated => ({
  ...answer,
  translations: answer.translations.map((translation, index) =>
    texts[index]!.includes(eaten)
      ? { ...translation, text: translation.text.replace(/<x id="\d+">[^<]*<\/x>/, "") }
      : translation
  ) as unknown as TranslateClient.Translated["translations"]
})

const charactersOf = (texts: ReadonlyArray<MaybeText>): number =>
  texts.reduce((sum, text) => sum + TranslateClient.characters(text ?? ""), 0)

/** The translator, with its calls written down. */
const recorded = (inner: Translator.Service, trace: Trace) => {
  const calls: Array<Call> = []
  let events = 0
  let inFlight = 0
  const service: Translator.Service = {
    translate: (texts, options) =>
      Effect.suspend(() => {
        const call: Call = {
          texts,
          characters: charactersOf(texts),
          start: events++,
          inFlight: ++inFlight,
          end: Number.POSITIVE_INFINITY,
          exit: undefined,
          requests: 0,
          faults: []
        }
        calls.push(call)
        return inner.translate(texts, options).pipe(
          Effect.onExit((exit) => {
            call.exit = exit
            call.end = events++
            inFlight--
            return trace.note(`call ${call.start}: ${ending(exit, ({ attempts }) => `${attempts} attempts`)}`)
          }),
          Effect.locally(currentCall, call),
          Effect.map((answer) => eat(texts, answer))
        )
      })
  }
  return { calls, service }
}

/** A budget that notes when more is spent than was held for it. */
const watched = (budget: Budget.Service) => {
  const state = { overdrawn: 0 }
  const service: Budget.Service = {
    ...budget,
    settle: (reserved, spent) => {
      if (spent > reserved) state.overdrawn++
      return budget.settle(reserved, spent)
    }
  }
  return { state, service }
}

/** The part of a fiber of the runtime that tells what it has forked. */
interface Parent {
  readonly getChildren: () => ReadonlySet<object>
}

/**
 * Turns to other fibers wherever it likes, but not where a race has made its fibers and not started them: interrupted there, Effect
 * would wait for them for ever.
 */
const restless = ({ seed, yields }: Program) => {
  let random = seed
  const started = new WeakSet<object>()
  const isStarting = (fiber: unknown) => {
    for (const child of (fiber as Parent).getChildren()) if (!started.has(child)) return true
    return false
  }
  const shouldYield: Scheduler.Scheduler["shouldYield"] = (fiber) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return random < yields * 2 ** 32 && !isStarting(fiber) ? 0 : Scheduler.defaultShouldYield(fiber)
  }
  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime(({ currentScheduler }) =>
      Effect.withScheduler(
        self,
        Scheduler.make((task, priority, fiber) => {
          if (fiber !== undefined) started.add(fiber)
          currentScheduler.scheduleTask(task, priority, fiber)
        }, shouldYield)
      )
    )
}

export const translated = (
  program: Program,
  stream: Stream.Stream<Element, SourceError>,
  options: Pick<TranslateStream.Options, "budget" | "progress" | "store">
): Stream.Stream<Outcome.Outcome<Element>, Outcome.StreamError | SourceError, Translator.Translator> => {
  const all = { ...program.options, ...options, targetLang: "de" }
  switch (program.shape) {
    case "texts":
      return TranslateStream.translate(stream as Stream.Stream<string, SourceError>, all)
    case "fields":
      return TranslateStream.translateFields(
        stream as Stream.Stream<
          { title: MaybeText; note: MaybeText; label: MaybeText; hint: MaybeText },
          SourceError
        >,
        ["title", "note", "label", "hint"],
        all
      )
    case "lists":
      return TranslateStream.translateWith(stream as Stream.Stream<ReadonlyArray<MaybeText>, SourceError>, {
        ...all,
        texts: (list) => list,
        replace: (_, texts) => texts
      })
  }
}

const limit = ({ concurrencyLimit: { _tag, permits } }: Program) => {
  if (_tag === "unlimited") return ConcurrencyLimit.makeUnlimited
  return _tag === "fixed"
    ? ConcurrencyLimit.makeFixed(permits)
    : ConcurrencyLimit.makeAdaptive({ initial: permits })
}

const transports = {
  undici: NodeHttpClient.layerUndici,
  node: NodeHttpClient.layer,
  fetch: FetchHttpClient.layer
}

/** A transport that writes down what it sends; in virtual time what is sent and answered is on its way for a while. */
const traced = ({ latency, transport }: Program, trace: Trace, client: HttpClient.HttpClient) => {
  const onItsWay =
    transport === "in process"
      ? Effect.flatMap(Random.nextIntBetween(0, latency + 3), (millis) => Effect.sleep(millis))
      : Effect.void
  return HttpClient.transform(client, (sending, request) =>
    Effect.flatMap(FiberRef.get(currentCall), (call) => {
      if (call !== undefined) call.requests++
      const number = ++trace.requests
      return trace.note(`request ${number}: ${hashOf(request)}`).pipe(
        Effect.zipRight(onItsWay),
        Effect.zipRight(sending),
        Effect.zipLeft(onItsWay),
        Effect.onExit((exit) => trace.note(`answer ${number}: ${ending(exit, ({ status }) => `${status}`)}`))
      )
    })
  )
}

/** The service of a program, and a transport to it. */
const service = (program: Program, trace: Trace) => {
  const { latency, maxConcurrent, quota, rows } = program
  const settings: Emulator.Options = {
    latency,
    maxConcurrent,
    characterLimit: quota === undefined ? null : Math.max(1, share(rows, quota)),
    faults: [Fault.poison(poison), ...toFaults(program, noteFault)]
  }
  const transport =
    program.transport === "in process"
      ? Emulator.layerHttpClient(settings)
      : Layer.merge(Layer.orDie(Emulator.layerNode(settings)), transports[program.transport])
  return Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => traced(program, trace, client))
  ).pipe(Layer.provideMerge(transport))
}

/** So many percents of a corpus, in characters. */
const share = (rows: Program["rows"], percents: number): number =>
  Math.floor((charactersOf(rows.flat()) * percents) / 100)

const translator = (program: Program) =>
  Layer.unwrapEffect(
    Effect.map(Emulator.Emulator, ({ url }) =>
      TranslateClient.layer({
        url,
        key: Redacted.make(Emulator.defaultKey),
        limit: limit(program),
        circuit: quickProbes
      }).pipe(Layer.orDie)
    )
  )

/** Gives a program its service; one that needs no socket runs in virtual time. */
export const served =
  (program: Program, trace: Trace) =>
  <A, E>(self: Effect.Effect<A, E, Emulator.Emulator | Translator.Translator>): Effect.Effect<A, E> => {
    const { maxAttempts } = program.policy
    const policy = RetryPolicy.make({ ...program.policy, schedule: retries(maxAttempts - 1, "2 millis") })
    const running = self.pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, policy),
      Effect.provide(Layer.provideMerge(translator(program), service(program, trace))),
      Effect.withRandom(Random.make(program.seed))
    )
    return program.transport === "in process" ? virtualClock.run(running, { seed: program.seed }) : running
  }

/** Ends a fiber after a while, unless it has ended before. */
const until = <A, E>({ end }: Program, fiber: Fiber.RuntimeFiber<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  end._tag === "interrupted"
    ? Effect.flatMap(Effect.fork(Effect.delay(Fiber.interrupt(fiber), end.after)), (killer) =>
        Effect.ensuring(Fiber.await(fiber), Fiber.interrupt(killer))
      )
    : Fiber.await(fiber)

/** Runs a program once: in virtual time if it needs no socket. */
export const run = (program: Program, trace: Trace): Effect.Effect<Run> =>
  Effect.gen(function* () {
    const { calls, service } = recorded(yield* Translator.Translator, trace)
    const emulator = yield* Emulator.Emulator
    const elements = program.rows.map((texts, id) => toElement(program, texts, id))
    const { state, stream } = source(program, elements)
    const budget = watched(yield* Budget.make(share(program.rows, program.budget ?? 0)))
    const progress = yield* Progress.make()
    const outcomes: Array<Outcome.Outcome<Element>> = []
    const { after, _tag: end } = program.end
    const running = translated(program, stream, {
      budget: program.budget === undefined ? undefined : budget.service,
      progress: program.progress ? progress : undefined
    }) as Stream.Stream<Outcome.Outcome<Element>, Outcome.StreamError | SourceError, Translator.Translator>
    const started = yield* Clock.currentTimeMillis
    const fiber = yield* running.pipe(
      end === "taken" ? Stream.take(after) : identity,
      Stream.runForEachChunk((chunk) => {
        for (const outcome of chunk) outcomes.push(outcome)
        const noted = trace.outcomes(chunk)
        return program.consumerPause === 0
          ? noted
          : Effect.zipRight(noted, Effect.sleep(program.consumerPause))
      }),
      Effect.provideService(Translator.Translator, service),
      program.yields === 0 ? identity : restless(program),
      Effect.fork
    )
    const exit = yield* until(program, fiber)
    const milliseconds = (yield* Clock.currentTimeMillis) - started
    const { requests } = trace
    const isCut = Exit.isInterrupted(exit) || (end === "taken" && outcomes.length === after)
    if (isCut || Exit.isFailure(exit)) yield* Effect.sleep(15)
    const meter = yield* emulator.meter
    yield* trace.note(`end: ${ending(exit, () => "well")}, ${JSON.stringify(meter)}`)
    return {
      program,
      elements,
      outcomes,
      exit,
      isCut,
      calls,
      requests,
      late: trace.requests - requests,
      meter,
      budget: program.budget === undefined ? undefined : yield* Effect.orDie(budget.service.state),
      ...budget.state,
      progress: yield* progress.state,
      ...state,
      milliseconds
    }
  }).pipe(served(program, trace))
