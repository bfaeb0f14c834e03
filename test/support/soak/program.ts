/** Programs at random: a corpus, the options of a stream, a service and its faults. A seed always gives the same one. */

import { PCGRandom } from "effect/Utils"
import type { RetryPolicy, TranslateStream } from "effect-translate"
import * as Api from "effect-translate/api"
import { Fault } from "effect-translate/emulator"
import * as fc from "fast-check"

export type MaybeText = string | null | undefined

/** A request with such a text is refused, always. */
export const poison = "☠"

/** With a request that has such a text the service fails, always, in some programs. */
export const crashing = "⚡"

/** Of a text with this mark the service loses the placeholders that it is asked to keep. */
export const eaten = "¤"

/** What a pattern of the user's protects. */
export const product = "Acme Ice"

/** What programs protect, as it stands in the texts. */
export const placeholders = ["{name}", "%1$s", "{{x}}", "<b>", "</b>", "{0:N2}"]

/** How a service fails, by name: which errors that may lead to, and whether it may have billed. */
export const faultKinds: {
  readonly [name: string]: {
    readonly fault: Fault.Fault
    readonly causes: ReadonlyArray<string>
    readonly isAmbiguous?: true
    /** It always strikes, or is dear: so many times at most. */
    readonly most?: number
    /** It depends on the request alone. */
    readonly isConstant?: true
    /** Once so many requests have come, it strikes all that follow, 40 at most: an outage. */
    readonly from?: number
  }
} = {
  "429": { fault: Fault.status(429), causes: ["RateLimited"] },
  "429 soon": { fault: Fault.status(429, { retryAfter: 0.01 }), causes: ["RateLimited"] },
  "429 tomorrow": { fault: Fault.status(429, { retryAfter: 86_400 }), causes: ["RateLimited"], most: 3 },
  "503": { fault: Fault.html(503), causes: ["ServerError"] },
  "503 soon": { fault: Fault.status(503, { retryAfter: 0.005 }), causes: ["ServerError"] },
  "529": { fault: Fault.status(529), causes: ["ServerError"] },
  "529 soon": { fault: Fault.status(529, { retryAfter: 0.02 }), causes: ["ServerError"] },
  "500": { fault: Fault.status(500), causes: ["ServerError"], isAmbiguous: true },
  "500 after": { fault: Fault.status(500, { when: "after" }), causes: ["ServerError"], isAmbiguous: true },
  "500 for a text": {
    fault: Fault.where(Fault.status(500), ({ texts }) => texts.some((text) => text.includes(crashing))),
    causes: ["ServerError"],
    isAmbiguous: true,
    isConstant: true
  },
  "502": { fault: Fault.html(502), causes: ["ServerError"], isAmbiguous: true },
  "504 after": { fault: Fault.status(504, { when: "after" }), causes: ["ServerError"], isAmbiguous: true },
  cut: { fault: Fault.cutConnection(), causes: ["TransportError"], isAmbiguous: true },
  "cut after": {
    fault: Fault.cutConnection({ when: "after" }),
    causes: ["TransportError"],
    isAmbiguous: true
  },
  "cut mid-body": {
    fault: Fault.cutConnection({ when: "mid-body" }),
    causes: ["TransportError"],
    isAmbiguous: true
  },
  slow: { fault: Fault.slow("1 minute"), causes: ["TimedOut"], isAmbiguous: true, most: 3 },
  "slow after": {
    fault: Fault.slow("1 minute", { when: "after" }),
    causes: ["TimedOut"],
    isAmbiguous: true,
    most: 3
  },
  "slow mid-body": {
    fault: Fault.slow("1 minute", { when: "mid-body" }),
    causes: ["TimedOut"],
    isAmbiguous: true,
    most: 3
  },
  // An answer without any item is none of the contract's.
  short: {
    fault: Fault.shortAnswer,
    causes: ["MismatchedResponse", "UndecodableResponse"],
    isAmbiguous: true
  },
  long: { fault: Fault.longAnswer, causes: ["MismatchedResponse"], isAmbiguous: true },
  garbage: { fault: Fault.garbage, causes: ["UndecodableResponse"], isAmbiguous: true },
  "400": { fault: Fault.status(400), causes: ["BadRequest"] },
  "422": { fault: Fault.status(422), causes: ["BadRequest"], most: 3 },
  "418": { fault: Fault.status(418), causes: ["UnexpectedStatus"], most: 12 },
  "413": { fault: Fault.status(413), causes: ["PayloadTooLarge"], most: 5 },
  "413 over 3 KB": {
    fault: Fault.where(Fault.status(413), ({ body }) => Buffer.byteLength(body) > 3000),
    causes: ["PayloadTooLarge"],
    isConstant: true
  },
  "413 over 40 KB": {
    fault: Fault.where(Fault.status(413), ({ body }) => Buffer.byteLength(body) > 40_000),
    causes: ["PayloadTooLarge"],
    isConstant: true
  },
  "403": { fault: Fault.status(403), causes: ["Unauthorized"], most: 1 },
  "404": { fault: Fault.status(404), causes: ["NotFound"], most: 1 },
  "456": { fault: Fault.status(456), causes: ["QuotaExceeded"], most: 2 },
  "outage 503": { fault: Fault.status(503), causes: ["ServerError"], from: 3 },
  "outage 502": { fault: Fault.html(502), causes: ["ServerError"], isAmbiguous: true, from: 5 },
  "outage cut": { fault: Fault.cutConnection(), causes: ["TransportError"], isAmbiguous: true, from: 8 },
  "outage from the start": { fault: Fault.status(503), causes: ["ServerError"], from: 0 }
}

/** How large programs are. */
interface Size {
  /** Most texts of a corpus, and of a small one. */
  readonly texts: number
  readonly few: number
  /** How likely one has texts that may fit into no request. */
  readonly large: number
  /** Most texts of a request, one of these. */
  readonly maxTexts: ReadonlyArray<number | undefined>
  /** How many requests an outage takes. */
  readonly outage: number
  readonly transports: ReadonlyArray<Program["transport"]>
}

const full: Size = {
  texts: 1200,
  few: 60,
  large: 0.3,
  maxTexts: [undefined],
  outage: 40,
  transports: ["in process", "in process", "in process", "undici", "node", "fetch"]
}

/** As many requests of few texts, and nothing that takes a socket. */
const small: Size = {
  texts: 40,
  few: 12,
  large: 0.1,
  maxTexts: [1, 2, 4, undefined],
  outage: 8,
  transports: ["in process"]
}

const after = (requests: number) => {
  let seen = 0
  return () => ++seen > requests
}

export interface ScriptedFault {
  readonly name: string
  readonly probability: number
  readonly times: number
}

/** The faults of a program, which tell which request they happen to. */
export const toFaults = (
  { faults, seed }: Pick<Program, "faults" | "seed">,
  onFault: (name: string) => void
): ReadonlyArray<Fault.Fault> => {
  const random = new PCGRandom(seed)
  return faults.map(({ name, probability, times }) => {
    const { fault, from } = faultKinds[name]!
    let left = times
    return (from === undefined ? fault : Fault.where(fault, after(from))).pipe(
      Fault.where(() => {
        if (left <= 0 || random.number() >= probability) return false
        left--
        onFault(name)
        return true
      }),
      Fault.times(Number.POSITIVE_INFINITY)
    )
  })
}

export interface Program {
  readonly seed: number
  readonly isSmall: boolean
  readonly transport: "in process" | "undici" | "node" | "fetch"
  /** Texts as they are, fields of rows, or lists of any length. */
  readonly shape: "texts" | "fields" | "lists"
  readonly rows: ReadonlyArray<ReadonlyArray<MaybeText>>
  /** The sizes of the source's chunks, over and over. */
  readonly chunks: ReadonlyArray<number>
  /** Milliseconds before each chunk of the source, and after each of the consumer. */
  readonly sourcePause: number
  readonly consumerPause: number
  readonly sourceFails: boolean
  readonly options: Omit<TranslateStream.Options, "targetLang" | "budget" | "progress">
  readonly progress: boolean
  /** How often the runtime turns to another fiber between two operations, 0 to 1. */
  readonly yields: number
  /** Percents of the corpus's characters. */
  readonly budget: number | undefined
  readonly quota: number | undefined
  readonly concurrencyLimit: { readonly _tag: "unlimited" | "fixed" | "adaptive"; readonly permits: number }
  readonly latency: number
  readonly maxConcurrent: number | undefined
  readonly faults: ReadonlyArray<ScriptedFault>
  readonly policy: RetryPolicy.Options & { readonly maxAttempts: number }
  readonly end: { readonly _tag: "all" | "interrupted" | "taken"; readonly after: number }
}

/** A text, by its number and those before it. */
type Make = (id: number, earlier: ReadonlyArray<MaybeText>) => MaybeText

const short: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom("one", "Ocean", "you", "nice", "house,", "Ünïcode"), { maxLength: 12 })
      .map((words) => words.join(" "))
  },
  { weight: 1, arbitrary: fc.fullUnicodeString({ maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "🌍👩‍👩‍👧 earth",
      "\ud800 alone",
      "x\udc00",
      '"\\\u0001\n\t',
      "世界。こんにちは。",
      "a & b < c > d",
      "e\u0301\u0301"
    )
  }
)

const numbered =
  (text: string): Make =>
  (id) =>
    `${id}: ${text}`

const text: fc.Arbitrary<Make> = fc.oneof(
  { weight: 20, arbitrary: short.map(numbered) },
  {
    weight: 4,
    arbitrary: fc.nat().map(
      (of): Make =>
        (id, earlier) =>
          earlier.length === 0 ? `${id}` : earlier[of % earlier.length]
    )
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<MaybeText>("", " ", "\u00a0\n", null, undefined).map((blank) => () => blank)
  },
  { weight: 3, arbitrary: short.map((text) => numbered(` \n${text}\u2003`)) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...placeholders, product, "and more"), { minLength: 1, maxLength: 6 })
      .map((parts) => numbered(parts.join(" one ")))
  },
  { weight: 1, arbitrary: fc.constantFrom(...placeholders).map((one) => numbered(`${eaten} ${one} one`)) }
)

const poisoned: fc.Arbitrary<Make> = fc
  .tuple(short, fc.constantFrom(poison, crashing))
  .map(([text, mark]) => numbered(`${text} ${mark}`))

/** What large texts are made of: it may be cut anywhere, at sentences, only between code points. */
const units: ReadonlyArray<(index: number) => string> = [
  (index) => `Sentence ${index} comes from {name} on its own. `,
  (index) => `Line ${index}\n\n`,
  () => "a",
  () => "世",
  () => "🌍",
  () => "👩‍👩‍👧",
  () => "\ud800",
  () => "\u0001",
  (index) => `<b>word${index}</b> & `
]

const large = (min: number, max: number): fc.Arbitrary<Make> =>
  fc.tuple(fc.constantFrom(...units), fc.integer({ min, max })).map(([unit, bytes]) => {
    const count = Math.ceil(bytes / (Buffer.byteLength(JSON.stringify(unit(1000))) - 2))
    return numbered(Array.from({ length: count }, (_, index) => unit(index)).join(""))
  })

const sometimes = <A>(chance: number, arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof(
    { weight: Math.round(chance * 100), arbitrary },
    { weight: 100 - Math.round(chance * 100), arbitrary: fc.constant(undefined) }
  )

/** Few of these, anywhere. */
const few = (chance: number, arbitrary: fc.Arbitrary<Make>, most: number) =>
  sometimes(chance, fc.array(fc.tuple(fc.nat(), arbitrary), { minLength: 1, maxLength: most })).map(
    (found = []) => found
  )

interface Corpus {
  readonly shape: Program["shape"]
  readonly rows: ReadonlyArray<ReadonlyArray<MaybeText>>
}

const corpusOf = (size: Size): fc.Arbitrary<Corpus> =>
  fc
    .record({
      shape: fc.constantFrom("texts", "fields", "lists"),
      width: fc.integer({ min: 1, max: 4 }),
      count: fc.oneof(
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
        { weight: 2, arbitrary: fc.integer({ min: 4, max: size.few }) },
        { weight: 3, arbitrary: fc.integer({ min: size.few + 1, max: size.texts }) }
      ),
      texts: fc.array(text, { minLength: size.texts, maxLength: size.texts, size: "max" }),
      widths: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 7, maxLength: 7 }),
      special: fc
        .tuple(
          few(0.35, poisoned, 6),
          few(size.large, large(5000, 60_000), 4),
          few(size.large, large(Api.Limits.translateBodyBytes, 300_000), 2)
        )
        .map((all) => all.flat())
    })
    .map(({ count, shape, special, texts, width, widths }) => {
      const makes = texts.slice(0, count)
      for (const [at, make] of special) if (count > 0) makes[at % count] = make
      const made: Array<MaybeText> = []
      makes.forEach((make, id) => {
        made.push(make(id, made))
      })
      const rows: Array<ReadonlyArray<MaybeText>> = []
      for (let start = 0; start < made.length; ) {
        const size = shape === "texts" ? 1 : shape === "fields" ? width : widths[rows.length % 7]!
        rows.push(made.slice(start, start + size))
        start += size
        // Lists that are all empty would never take a text.
        if (size === 0) widths[(rows.length - 1) % 7] = 1
      }
      return { shape: shape as Program["shape"], rows }
    })

const optionsOf = (size: Size): fc.Arbitrary<Program["options"]> =>
  fc.record({
    maxTexts: fc.constantFrom(...size.maxTexts),
    concurrency: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 16 })),
    unordered: sometimes(0.3, fc.constant(true)),
    dedupe: sometimes(0.5, fc.constantFrom(true, { texts: 5 }, { bytes: 2000 })),
    oversized: sometimes(0.5, fc.constantFrom("segment", "fail")),
    segmentContext: sometimes(0.2, fc.constantFrom(0, 80, 400)),
    placeholders: sometimes(0.4, fc.constant({ patterns: [new RegExp(product)] })),
    verify: sometimes(0.4, fc.constant({})),
    context: sometimes(0.2, fc.constant('About "mugs" & 世界'))
  })

const faultsOf = (size: Size): fc.Arbitrary<ReadonlyArray<ScriptedFault>> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 7,
      arbitrary: fc.array(
        fc
          .record({
            name: fc.constantFrom(...Object.keys(faultKinds)),
            probability: fc.constantFrom(0.02, 0.02, 0.05, 0.05, 0.1, 0.3, 1),
            times: fc.constantFrom(1, 3, 20, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
          })
          .map(({ name, probability, times }) => {
            const { from, isConstant, most = Number.POSITIVE_INFINITY } = faultKinds[name]!
            if (from !== undefined) return { name, probability: 1, times: size.outage }
            return isConstant
              ? { name, probability: 1, times: Number.POSITIVE_INFINITY }
              : { name, probability, times: Math.min(times, most, probability === 1 ? 8 : times) }
          }),
        { minLength: 1, maxLength: 7, size: "max" }
      )
    }
  )

const policyFor = (faults: ReadonlyArray<ScriptedFault>): fc.Arbitrary<Program["policy"]> =>
  fc.record({
    maxAttempts: fc.constantFrom(1, 2, 4, 6, 6, 6),
    maxRetryAfter: fc.constant("300 millis" as const),
    ambiguousBudget: fc.constantFrom(0, 10, 10, 1000),
    ambiguousBudgetPerSuccess: fc.constantFrom(0, 0.1, 1),
    timeoutPerThousandCharacters: fc.constant("1 millis" as const),
    // A busy machine is no slow service.
    timeout: fc.constant(faults.some(({ name }) => name.startsWith("slow")) ? "80 millis" : "20 seconds")
  })

const programOf = (size: Size): fc.Arbitrary<Omit<Program, "seed" | "isSmall">> =>
  faultsOf(size).chain((faults) =>
    fc
      .record({
        corpus: corpusOf(size),
        transport: fc.constantFrom(...size.transports),
        chunks: fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 8 }),
        sourcePause: fc.constantFrom(0, 0, 0, 2),
        consumerPause: fc.constantFrom(0, 0, 0, 2),
        sourceFails: fc.constantFrom(false, false, false, false, true),
        options: optionsOf(size),
        progress: fc.boolean(),
        // Turning to another fiber takes ten operations itself: one in ten would never end.
        yields: fc.constantFrom(0, 0, 0.005, 0.03),
        budget: sometimes(0.25, fc.integer({ min: 20, max: 140 })),
        quota: sometimes(0.1, fc.integer({ min: 5, max: 100 })),
        concurrencyLimit: fc.record({
          _tag: fc.constantFrom("unlimited", "fixed", "adaptive"),
          permits: fc.integer({ min: 1, max: 8 })
        }),
        latency: fc.constantFrom(0, 0, 1, 4),
        maxConcurrent: sometimes(0.05, fc.integer({ min: 1, max: 4 })),
        policy: policyFor(faults),
        end: fc.oneof(
          { weight: 7, arbitrary: fc.constant({ _tag: "all" as const, after: 0 }) },
          {
            weight: 2,
            arbitrary: fc.record({
              _tag: fc.constant("interrupted" as const),
              after: fc.integer({ min: 0, max: 60 })
            })
          },
          {
            weight: 1,
            arbitrary: fc.record({
              _tag: fc.constant("taken" as const),
              after: fc.integer({ min: 1, max: 60 })
            })
          }
        )
      })
      .map(({ corpus, ...rest }) => ({ ...corpus, ...rest, faults }) as Omit<Program, "seed" | "isSmall">)
  )

const ofSize = (size: Size) => {
  const program = programOf(size)
  return (seed: number): Program => ({
    seed,
    isSmall: size === small,
    ...fc.sample(program, { seed, numRuns: 1 })[0]!
  })
}

/** The program of a seed. */
export const make = ofSize(full)

/** The small program of a seed, without sockets. */
export const makeSmall = ofSize(small)

/** Kinds that end a job, or fail a batch at once. */
const deadly = ["429 tomorrow", "418", "403", "404", "456"]

/** So many texts, one in a hundred poisoned, and each kind of fault that a job survives for one request in a hundred. */
export const bulk = (texts: number): Program => ({
  seed: 0,
  isSmall: false,
  transport: "undici",
  shape: "texts",
  rows: Array.from({ length: texts }, (_, id) => [
    `${id}: Once upon a midnight dreary, while I pondered${id % 100 === 99 ? ` ${poison}` : ""}, weak and weary`
  ]),
  chunks: [1000],
  sourcePause: 0,
  consumerPause: 0,
  sourceFails: false,
  options: { concurrency: 16 },
  progress: true,
  yields: 0,
  budget: undefined,
  quota: undefined,
  concurrencyLimit: { _tag: "adaptive", permits: 8 },
  latency: 0,
  maxConcurrent: undefined,
  faults: Object.entries(faultKinds)
    .filter(
      ([name, { from, isConstant }]) => isConstant !== true && from === undefined && !deadly.includes(name)
    )
    .map(([name]) => ({ name, probability: 0.01, times: Number.POSITIVE_INFINITY })),
  policy: {
    maxAttempts: 6,
    timeout: "500 millis",
    timeoutPerThousandCharacters: "1 millis",
    ambiguousBudget: 1000,
    ambiguousBudgetPerSuccess: 1
  },
  end: { _tag: "all", after: 0 }
})

/** Whether a text may fit into no request. Protection makes it larger. */
export const isLarge = (text: string): boolean => text.length > 5000

/** A program in a few words. */
export const describe = (self: Program): string => {
  const texts = self.rows.flat()
  const count = (holds: (text: string) => boolean) =>
    texts.filter((text) => typeof text === "string" && holds(text)).length
  const { concurrency, placeholders, ...options } = self.options
  const parts = [
    `seed ${self.seed}`,
    self.transport,
    `${self.rows.length} ${self.shape}`,
    `${texts.length} texts (${count(isLarge)} large, ${count((text) => text.includes(poison))} poisoned)`,
    `chunks ${self.chunks.join(" ") || "whole"}${self.sourcePause > 0 ? ", slow source" : ""}${self.consumerPause > 0 ? ", slow consumer" : ""}`,
    self.sourceFails && "the source fails",
    `concurrency ${concurrency}`,
    ...Object.entries(options).map(
      ([name, value]) => value !== undefined && `${name} ${JSON.stringify(value)}`
    ),
    placeholders && "placeholders",
    self.budget !== undefined && `budget ${self.budget} %`,
    self.quota !== undefined && `quota ${self.quota} %`,
    self.progress && "progress",
    self.yields > 0 && `yields ${self.yields}`,
    `concurrencyLimit ${self.concurrencyLimit._tag}${self.concurrencyLimit._tag === "unlimited" ? "" : ` ${self.concurrencyLimit.permits}`}`,
    `latency ${self.latency}`,
    self.maxConcurrent !== undefined && `at most ${self.maxConcurrent} at once`,
    `attempts ${self.policy.maxAttempts}, in doubt ${self.policy.ambiguousBudget}+${self.policy.ambiguousBudgetPerSuccess}`,
    self.end._tag !== "all" && `${self.end._tag} after ${self.end.after}`,
    ...self.faults.map(({ name, probability, times }) => `[${name}] ${probability} × ${times}`)
  ]
  return parts.filter((part) => typeof part === "string").join("; ")
}
