/** What is reported crosses RPC, queues and journals: it comes out of JSON as it went in, with its class and its guard. */
import * as PlatformError from "@effect/platform/Error"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  Budget,
  type Forecast,
  Outcome,
  type Progress,
  TranslateError,
  TranslateSchema,
  Verification
} from "effect-translate"
import {
  type DocumentBatch,
  DocumentError,
  DocumentJournal,
  DocumentSchema,
  type DocumentTranslation
} from "effect-translate/documents"
import { GlossarySync } from "effect-translate/glossaries"
import * as fc from "fast-check"

const json = <A, I>(schema: Schema.Schema<A, I>) => ({
  to: (value: A) => JSON.stringify(Schema.encodeSync(schema)(value)),
  from: (text: string) => Schema.decodeUnknownSync(schema)(JSON.parse(text))
})

const through = <A, I>(schema: Schema.Schema<A, I>, value: A): A => json(schema).from(json(schema).to(value))

/** Numbers that JSON has. No tag of an error is `__proto__`, which no decoder gives back. */
const isJson = (value: unknown): boolean =>
  typeof value === "number"
    ? Number.isFinite(value) && !Object.is(value, -0)
    : Duration.isDuration(value) ||
      typeof value !== "object" ||
      value === null ||
      (!Object.hasOwn(value, "__proto__") && Object.values(value).every(isJson))

/** Every field, and the class of every error: `toEqual` tells a field without a value from none in errors alone. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null || Duration.isDuration(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, plain(field)])
  return { ...Object.fromEntries(fields), class: value.constructor }
}

const roundTrip = <A, I>(
  schema: Schema.Schema<A, I>,
  {
    guard = () => true,
    numRuns = 20
  }: { readonly guard?: (value: A) => boolean; readonly numRuns?: number } = {}
) =>
  fc.assert(
    fc.property(Arbitrary.make(schema).filter(isJson), (value) => {
      const decoded = through(schema, value)
      // A field without a value is missing in JSON.
      expect(json(schema).to(decoded)).toBe(json(schema).to(value))
      expect(plain(decoded)).toEqual(plain(value))
      if (value instanceof Error) expect((decoded as Error).message).toBe(value.message)
      expect(guard(decoded)).toBe(true)
    }),
    { numRuns }
  )

const row = Schema.Struct({ id: Schema.Int, title: Schema.String })

const item: DocumentBatch.Item = {
  path: "a.docx",
  targetLang: "de",
  upload: { formality: "more", translationMemoryThreshold: 80, isAnyFormatAllowed: true }
}

const failed: DocumentBatch.Failed = {
  _tag: "Failed",
  item,
  output: "a.de.docx",
  error: new DocumentError.DocumentOverdue({ documentId: "d", after: Duration.hours(2) })
}

const ambiguous: DocumentBatch.Ambiguous = {
  _tag: "Ambiguous",
  item: { path: "b.pdf", targetLang: "fr", output: "b.pdf" },
  output: "b.pdf",
  error: new DocumentError.AmbiguousUpload({ file: "b.pdf", targetLang: "fr", reason: "it was interrupted" })
}

const lost: DocumentBatch.Lost = {
  _tag: "Lost",
  item,
  output: "a.de.docx",
  error: new DocumentError.DownloadLost({ documentId: "d", reason: "cut", received: 3 })
}

const documents: ReadonlyArray<DocumentBatch.Outcome> = [
  { _tag: "Translated", item, output: "a.de.docx", documentId: "d", billedCharacters: undefined },
  { _tag: "Skipped", item, output: "a.de.docx", reason: "duplicate" },
  failed,
  ambiguous,
  lost
]

describe("errors", () => {
  for (const member of TranslateError.TranslateError.members) {
    it(`${member.identifier} comes back as itself`, () =>
      roundTrip(member as unknown as Schema.Schema<TranslateError.TranslateError>, {
        guard: TranslateError.isTranslateError
      }))
  }

  for (const member of DocumentError.DocumentError.members) {
    it(`${member.identifier} comes back as itself`, () =>
      roundTrip(member as unknown as Schema.Schema<DocumentError.DocumentError>, {
        guard: DocumentError.isDocumentError
      }))
  }

  it("of streams come back by the union of all", () => roundTrip(TranslateSchema.StreamError))

  it("of a glossary's synchronisation come back", () =>
    roundTrip(GlossarySync.GlossarySyncError, { guard: GlossarySync.isGlossarySyncError }))

  it("keep a wait without end", () => {
    const error = new TranslateError.RateLimited({
      method: "POST",
      path: "/v2/translate",
      delivery: "rejected",
      attempts: 1,
      ambiguousAttempts: 0,
      status: 429,
      retryAfter: Duration.infinity
    })
    expect(TranslateError.retryAfter(through(TranslateError.TranslateError, error))).toEqual(
      Duration.infinity
    )
  })

  it("of streams keep their tag and their guard", () => {
    const exceeded = new Budget.BudgetExceeded({ cap: 1, used: 1, needed: 1 })
    const refused = new Verification.TranslationRefused({ checks: ["empty"], explanations: [] })
    expect(through(TranslateSchema.StreamError, exceeded)).toBeInstanceOf(Budget.BudgetExceeded)
    expect(through(TranslateSchema.StreamError, refused)).toBeInstanceOf(Verification.TranslationRefused)
  })

  it("of files come back", () => {
    const error = new PlatformError.SystemError({ reason: "NotFound", module: "FileSystem", method: "open" })
    const decoded = through(DocumentSchema.DocumentTranslationError, error)
    expect(PlatformError.isPlatformError(decoded)).toBe(true)
    expect(decoded.message).toBe(error.message)
  })

  it("of the journal come back without the handle, which holds a key", () => {
    const error = new DocumentJournal.DocumentJournalError({
      message: "No space left.",
      handle: {
        documentId: "d",
        documentKey: Redacted.make("5566778899"),
        name: "a.txt",
        translatedName: "a.txt",
        targetLang: "de"
      }
    })
    const { from, to } = json(DocumentSchema.DocumentTranslationError)
    expect(to(error)).not.toContain("5566778899")
    const decoded = from(to(error))
    expect(DocumentJournal.isDocumentJournalError(decoded)).toBe(true)
    expect(decoded.message).toBe("No space left.")
  })
})

describe("outcomes", () => {
  const outcome = TranslateSchema.outcome({ source: row, value: row })

  it("of elements come back, with every error and without missing translations", () =>
    roundTrip(outcome, { numRuns: 5 }))

  it("of elements that keep their schema need it once", () => {
    const skipped: Outcome.Outcome<typeof row.Type> = {
      _tag: "Skipped",
      source: { id: 1, title: "" },
      value: { id: 1, title: "" },
      texts: { translated: 0, cached: 0, skipped: 1, failed: 0 },
      cost: { characters: 0, ambiguousCharacters: 0 }
    }
    expect(through(TranslateSchema.outcome(row), skipped)).toEqual(skipped)
    expect(through(TranslateSchema.outcome(Schema.String), { ...skipped, source: "", value: "" }).value).toBe(
      ""
    )
  })

  it("keep the guard and the error of failed elements", () => {
    const failed: Outcome.Outcome<typeof row.Type> = {
      _tag: "Failed",
      source: { id: 1, title: "a" },
      value: { id: 1, title: "a" },
      texts: { translated: 1, cached: 0, skipped: 0, failed: 1 },
      cost: { characters: 3, ambiguousCharacters: 0 },
      translations: [{ text: "b", billedCharacters: 3 }, undefined],
      failures: [{ field: "title", error: new Budget.BudgetExceeded({ cap: 3, used: 3, needed: 1 }) }]
    }
    const decoded = through(outcome, failed)
    expect(decoded).toEqual(failed)
    expect(Outcome.isFailed(decoded) && decoded.failures[0].error).toBeInstanceOf(Budget.BudgetExceeded)
  })

  it("have an equivalence by their fields, though they are plain objects", () => {
    const areEqual = Schema.equivalence(outcome)
    const failed = (needed: number): Outcome.Outcome<typeof row.Type> => ({
      _tag: "Failed",
      source: { id: 1, title: "a" },
      value: { id: 1, title: "a" },
      texts: { translated: 1, cached: 0, skipped: 0, failed: 1 },
      cost: { characters: 3, ambiguousCharacters: 0 },
      translations: [{ text: "b", billedCharacters: 3 }, undefined],
      failures: [{ field: "title", error: new Budget.BudgetExceeded({ cap: 3, used: 3, needed }) }]
    })
    expect(areEqual(through(outcome, failed(1)), failed(1))).toBe(true)
    expect(areEqual(failed(1), failed(2))).toBe(false)
    expect(
      areEqual(failed(1), { ...failed(1), texts: { translated: 0, cached: 1, skipped: 0, failed: 1 } })
    ).toBe(false)
  })

  it("of documents come back", () => {
    for (const outcome of documents) {
      expect(plain(through(DocumentSchema.outcome(DocumentSchema.Item), outcome))).toEqual(plain(outcome))
    }
  })
})

describe("reports", () => {
  it("come back: sums, forecasts, documents, glossaries", () => {
    roundTrip(TranslateSchema.Tally)
    roundTrip(TranslateSchema.Forecast)
    roundTrip(DocumentSchema.Translated)
    roundTrip(GlossarySync.Report)
  })

  it("come back: batches of documents, with failed ones", () => {
    const report: DocumentBatch.Report = {
      in: 5,
      translated: 1,
      skipped: 1,
      failed: [failed],
      ambiguous: [ambiguous],
      lost: [lost],
      characters: 7
    }
    expect(plain(through(DocumentSchema.report(DocumentSchema.Item), report))).toEqual(plain(report))
  })

  it("come back: progress and its events", () => {
    roundTrip(TranslateSchema.ProgressState)
    roundTrip(TranslateSchema.ProgressEvent)
  })
})

describe("types", () => {
  it("are those of the modules", () => {
    expectTypeOf<typeof TranslateError.TranslateError.Type>().toEqualTypeOf<TranslateError.TranslateError>()
    expectTypeOf<typeof DocumentError.DocumentError.Type>().toEqualTypeOf<DocumentError.DocumentError>()
    expectTypeOf<typeof TranslateSchema.StreamError.Type>().toEqualTypeOf<Outcome.StreamError>()
    expectTypeOf<typeof TranslateSchema.Tally.Type>().toMatchTypeOf<Outcome.Tally>()
    expectTypeOf<typeof TranslateSchema.Forecast.Type>().toMatchTypeOf<Forecast.Forecast>()
    expectTypeOf<typeof TranslateSchema.ProgressState.Type>().toMatchTypeOf<Progress.State>()
    expectTypeOf<typeof TranslateSchema.ProgressEvent.Type>().toMatchTypeOf<Progress.Event>()
    expectTypeOf<(typeof TranslateSchema.ProgressEvent.Type)["_tag"]>().toEqualTypeOf<
      Progress.Event["_tag"]
    >()
    expectTypeOf<typeof DocumentSchema.Item.Type>().toMatchTypeOf<DocumentBatch.Item>()
    expectTypeOf<
      typeof DocumentSchema.DocumentTranslationError.Type
    >().toEqualTypeOf<DocumentTranslation.DocumentTranslationError>()
    const outcome = TranslateSchema.outcome({ source: row, value: row })
    expectTypeOf<typeof outcome.Type>().toMatchTypeOf<Outcome.Outcome<typeof row.Type>>()
    const report = DocumentSchema.report(DocumentSchema.Item)
    expectTypeOf<typeof report.Type>().toMatchTypeOf<DocumentBatch.Report>()
  })
})

describe("over RPC", () => {
  const translations = RpcGroup.make(
    Rpc.make("translations", {
      success: TranslateSchema.outcome({ source: row, value: row }),
      error: TranslateSchema.StreamError,
      stream: true
    })
  )
  const done: Outcome.Outcome<typeof row.Type> = {
    _tag: "Translated",
    source: { id: 1, title: "a" },
    value: { id: 1, title: "b" },
    texts: { translated: 1, cached: 0, skipped: 0, failed: 0 },
    cost: { characters: 1, ambiguousCharacters: 0 },
    translations: [{ text: "b", billedCharacters: 1 }]
  }
  const error = new Budget.BudgetExceeded({ cap: 3, used: 3, needed: 1 })

  /** A client that reaches a server in this process by requests and answers of bytes. */
  const client = Effect.gen(function* () {
    const handlers = translations.toLayer({
      translations: () => Stream.concat(Stream.make(done), Stream.fail(error))
    })
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        RpcServer.toWebHandler(translations, {
          layer: Layer.mergeAll(handlers, RpcSerialization.layerNdjson, HttpServer.layerContext)
        })
      ),
      ({ dispose }) => Effect.promise(dispose)
    )
    return yield* RpcClient.make(translations).pipe(
      Effect.provide(
        RpcClient.layerProtocolHttp({ url: "http://rpc.test" }).pipe(
          Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson]),
          Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (url, init) => handler(new Request(url, init))))
        )
      )
    )
  })

  it.virtual("a stream yields its outcomes and fails with its error, as if it were in one process", () =>
    Effect.gen(function* () {
      const outcomes: Array<Outcome.Outcome<typeof row.Type>> = []
      const failure = yield* (yield* client).translations().pipe(
        Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
        Effect.flip
      )
      expect(outcomes).toEqual([done])
      expect(failure).toBeInstanceOf(Budget.BudgetExceeded)
      expect(failure).toEqual(error)
    })
  )
})
