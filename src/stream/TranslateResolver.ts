/**
 * Calls of one text that share requests: those of an effect with `batching`, and over a short window those of fibers that
 * know nothing of each other. The base of services that translate one text at a time.
 *
 * @since 0.1.0
 */

import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import { dual, identity } from "effect/Function"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Limits from "../api/Limits.js"
import type * as Text from "../api/Text.js"
import * as Translator from "../client/Translator.js"
import { canonicalJson } from "../internal/hash.js"
import { withWhitespaceOf } from "../internal/texts.js"
import type * as Check from "../text/Check.js"
import { moved } from "./internal/element.js"
import { budgetOf } from "./internal/options.js"
import type * as Outcome from "./Outcome.js"
import * as ServiceLimits from "./ServiceLimits.js"
import * as TranslateStream from "./TranslateStream.js"

/**
 * The options of a call. Calls whose options mean the same share requests.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslateOptions extends Omit<Text.TranslateOptions, "showBilledCharacters"> {}

/**
 * The translation of one text, with its cost. Equal texts of a request are paid for once: the others cost nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translation extends Text.Translation {
  readonly cost: Outcome.Cost
  /** The findings of checks, where `verify` flags them: ranges are in the text and in the translation. @default nothing */
  readonly findings?: ReadonlyArray<Check.Finding> | undefined
}

/** Options that mean the same have the same key. */
const keyOf = ({ sourceLang, targetLang, ...options }: TranslateOptions): string =>
  canonicalJson({
    ...options,
    sourceLang: sourceLang && LanguageCode.canonical(sourceLang),
    targetLang: LanguageCode.canonical(targetLang)
  })

/**
 * A text to translate, as a request of Effect. Two of them are equal if their texts are, and their options mean the same: so
 * Effect's request cache holds one translation for both.
 *
 * @since 0.1.0
 * @category models
 */
export class TranslateText extends Request.TaggedClass("TranslateText")<
  Translation,
  Outcome.StreamError,
  { readonly text: string; readonly options: TranslateOptions }
> {
  /** @internal */
  readonly key: string = keyOf(this.options);

  [Hash.symbol](): number {
    return Hash.combine(Hash.string(this.key))(Hash.string(this.text))
  }

  [Equal.symbol](that: unknown): boolean {
    return that instanceof TranslateText && this.text === that.text && this.key === that.key
  }
}

/**
 * Resolves requests for translations.
 *
 * @since 0.1.0
 * @category tags
 */
export class TranslateResolver extends Context.Tag("effect-translate/TranslateResolver")<
  TranslateResolver,
  RequestResolver.RequestResolver<TranslateText>
>() {}

/**
 * Options for sharing requests, and for all calls: see the options of the streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options
  extends Pick<
    TranslateStream.Options,
    | "concurrency"
    | "maxTexts"
    | "maxBytes"
    | "oversized"
    | "segmentContext"
    | "placeholders"
    | "syntax"
    | "verify"
    | "budget"
    | "progress"
    | "serviceLimits"
    | "store"
  > {
  /**
   * The time that a text waits for those of other fibers, until there are as many different ones as a request holds. A call
   * whose text waits, or is in flight with the same options, joins it. @default not at all: the calls of one effect with
   * `batching` share requests
   */
  readonly window?: Duration.DurationInput | undefined
}

type Entry = Request.Entry<TranslateText>

const complete = (entry: Entry, exit: Exit.Exit<Translation, Outcome.StreamError>): void => {
  if (entry.state.completed) return
  entry.state.completed = true
  Deferred.unsafeDone(entry.result, exit)
}

/** A text, with all calls that wait for its translation. */
interface Shared {
  readonly text: string
  readonly request: TranslateText
  readonly entries: Array<Entry>
}

const isAwaited = ({ entries }: Shared): boolean => entries.some(({ state }) => !state.completed)

const exitOf = (
  outcome: Outcome.Outcome<unknown, Shared>,
  text: string,
  cost: Outcome.Cost
): Exit.Exit<Translation, Outcome.StreamError> => {
  if (outcome._tag === "Failed") return Exit.fail(outcome.failures[0].error)
  if (outcome._tag === "Skipped") return Exit.succeed({ text, cost })
  const translation = outcome.translations[0]!
  const flagged = "flagged" in outcome ? outcome.flagged?.[0]?.findings : undefined
  const findings = flagged && { findings: moved(flagged, text.length - text.trimStart().length) }
  return Exit.succeed({ ...translation, text: withWhitespaceOf(text, translation.text), cost, ...findings })
}

/** The first call that still waits gets the cost of its text, the others nothing. */
const answer = (outcome: Outcome.Outcome<unknown, Shared>): void => {
  const waiting = outcome.source.entries.filter(({ state }) => !state.completed)
  for (const [index, entry] of waiting.entries()) {
    complete(entry, exitOf(outcome, entry.request.text, index === 0 ? outcome.cost : noCost))
  }
}

const noCost: Outcome.Cost = { characters: 0, ambiguousCharacters: 0 }

/** Completes calls for texts of the same options. */
type Send = (texts: ReadonlyArray<Shared>) => Effect.Effect<void>

const awaitAll = (entries: ReadonlyArray<Entry>) =>
  Effect.forEach(entries, ({ result }) => Effect.exit(Deferred.await(result)))

/** Sends texts through a stream of their own: they are packed, halved, cut, paid for and counted there. */
const sender =
  (translator: Translator.Service, options: Omit<TranslateStream.Options, keyof TranslateOptions>): Send =>
  (texts) =>
    TranslateStream.translateWith(Stream.fromIterable(texts), {
      ...texts[0]!.request.options,
      ...options,
      unordered: true,
      texts: ({ text }) => [text],
      replace: identity
    }).pipe(
      Stream.runForEach((outcome) => Effect.sync(() => answer(outcome))),
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) return
          for (const { entries } of texts) {
            for (const entry of entries) complete(entry, Exit.failCause(exit.cause))
          }
        })
      ),
      Effect.ignore,
      Effect.provideService(Translator.Translator, translator)
    )

/** Texts by their content without the whitespace around it, each with its waiters. */
type Texts = Map<string, Shared>

const share = (texts: Texts, entry: Entry): void => {
  const { request } = entry
  const text = request.text.trim()
  const shared = texts.get(text)
  if (shared === undefined) texts.set(text, { text, request, entries: [entry] })
  else shared.entries.push(entry)
}

/** Texts of the same options that go together. */
interface Window {
  readonly texts: Texts
  /** The spans of callers that asked before it was sent. */
  readonly callers: Set<Tracer.AnySpan>
  readonly full: Effect.Latch
}

/** Sends the texts of some time together. A call joins its text while that waits, and while it is in flight. */
const windows = (
  time: Duration.DurationInput,
  maxTexts: number,
  send: Send,
  fork: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
): ((entries: ReadonlyArray<Entry>) => Effect.Effect<unknown>) => {
  const open = new Map<string, Window>()
  /** Those that are about to be sent, or in flight. */
  const sent = new Map<string, Set<Window>>()

  const close = (key: string, window: Window) => {
    window.full.unsafeOpen()
    if (open.get(key) === window) open.delete(key)
    sent.set(key, (sent.get(key) ?? new Set()).add(window))
  }

  const end = (key: string, window: Window) => {
    const windows = sent.get(key)
    if (windows?.delete(window) === true && windows.size === 0) sent.delete(key)
  }

  /** Effect completes the request of a caller that is interrupted: this ends when all callers have gone. */
  const abandoned = (key: string, window: Window): Effect.Effect<void> =>
    Effect.suspend(() => {
      const entries = Array.from(window.texts.values(), (shared) => shared.entries).flat()
      return Effect.flatMap(awaitAll(entries), (exits) => {
        if (Array.from(window.texts.values()).some(isAwaited)) return abandoned(key, window)
        if (!exits.some(Exit.isInterrupted)) return Effect.never
        end(key, window)
        return Effect.void
      })
    })

  const run = (key: string, window: Window) =>
    Effect.flatMap(Effect.raceFirst(Effect.sleep(time), window.full.await), () => {
      close(key, window)
      for (const [text, shared] of window.texts) if (!isAwaited(shared)) window.texts.delete(text)
      if (window.texts.size === 0) return Effect.sync(() => end(key, window))
      return send(Array.from(window.texts.values())).pipe(
        Effect.raceFirst(abandoned(key, window)),
        Effect.ensuring(Effect.sync(() => end(key, window))),
        Effect.withSpan("effect-translate.window", {
          root: true,
          attributes: { "translate.texts": window.texts.size },
          links: Array.from(window.callers, (span) => ({ _tag: "SpanLink", span, attributes: {} }))
        })
      )
    })

  /** True for a call that waits for a request in flight. */
  const joins = (entry: Entry): boolean => {
    const { key, text } = entry.request
    for (const { texts } of sent.get(key) ?? []) {
      const shared = texts.get(text.trim())
      if (shared === undefined || !isAwaited(shared)) continue
      shared.entries.push(entry)
      return true
    }
    return false
  }

  const enter = (entry: Entry, caller: Option.Option<Tracer.AnySpan>) =>
    Effect.suspend(() => {
      if (joins(entry)) return Effect.void
      const { key } = entry.request
      const known = open.get(key)
      const window: Window = known ?? { texts: new Map(), callers: new Set(), full: Effect.unsafeMakeLatch() }
      share(window.texts, entry)
      if (Option.isSome(caller)) window.callers.add(caller.value)
      if (window.texts.size < maxTexts) open.set(key, window)
      else close(key, window)
      return known === undefined ? fork(run(key, window)) : Effect.void
    })

  return (entries) =>
    Effect.flatMap(Effect.option(Effect.currentParentSpan), (caller) =>
      Effect.zipRight(
        Effect.forEach(entries, (entry) => enter(entry, caller), { discard: true }),
        awaitAll(entries)
      )
    )
}

const groups = (entries: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> =>
  Object.values(
    Arr.groupBy(
      entries.filter(({ state }) => !state.completed),
      ({ request }) => request.key
    )
  )

/**
 * A resolver for requests of one text.
 *
 * Texts whose options mean the same go into requests together, as the streams pack them. Equal ones are sent once. Each
 * caller gets the translation of its text, or its error: a text that the service refuses fails alone. Blank texts come back
 * unbilled. A caller that is interrupted hurts no other; a request is interrupted once all of its callers are gone. (Effect
 * itself does not interrupt an effect with `batching` before its requests are answered.) All calls share a budget.
 *
 * Errors: those that a text of a stream fails with.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options = {}
): Effect.Effect<
  RequestResolver.RequestResolver<TranslateText>,
  never,
  Translator.Translator | Scope.Scope
> =>
  Effect.gen(function* () {
    const { window, ...given } = options
    const context = yield* Effect.context<Translator.Translator | Scope.Scope>()
    const scope = yield* Effect.scope
    const send = sender(yield* Translator.Translator, {
      ...given,
      budget: yield* budgetOf(options.budget),
      serviceLimits: options.serviceLimits ?? (yield* ServiceLimits.make())
    })
    // The requests of a window have no owner: they run as the resolver does, not as the caller that came first.
    const fork = (effect: Effect.Effect<void>) =>
      effect.pipe(
        Effect.interruptible,
        Effect.mapInputContext((_: Context.Context<never>) => context),
        Effect.forkIn(scope)
      )
    const { maxTexts = Limits.translateTexts } = options
    const sendNow = (entries: ReadonlyArray<Entry>) => {
      const texts: Texts = new Map()
      for (const entry of entries) share(texts, entry)
      return send(Array.from(texts.values()))
    }
    const resolve = window === undefined ? sendNow : windows(window, maxTexts, send, fork)
    return RequestResolver.makeWithEntry((blocks) =>
      Effect.forEach(
        blocks,
        (block) => Effect.forEach(groups(block), resolve, { concurrency: "unbounded", discard: true }),
        { discard: true }
      )
    )
  })

/**
 * A resolver for requests of one text: see {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<TranslateResolver, never, Translator.Translator> =>
  Layer.scoped(TranslateResolver, make(options))

/**
 * Translates one text. Calls share requests under `batching`, and within the window of the resolver.
 *
 * Errors: those that a text of a stream fails with. Effect's request cache keeps errors too.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  /**
   * Translates one text. Calls share requests under `batching`, and within the window of the resolver.
   *
   * Errors: those that a text of a stream fails with. Effect's request cache keeps errors too.
   */
  (
    options: TranslateOptions
  ): (text: string) => Effect.Effect<Translation, Outcome.StreamError, TranslateResolver>
  /**
   * Translates one text. Calls share requests under `batching`, and within the window of the resolver.
   *
   * Errors: those that a text of a stream fails with. Effect's request cache keeps errors too.
   */
  (
    text: string,
    options: TranslateOptions
  ): Effect.Effect<Translation, Outcome.StreamError, TranslateResolver>
} = dual(2, (text: string, options: TranslateOptions) =>
  Effect.request(new TranslateText({ text, options }), TranslateResolver)
)
