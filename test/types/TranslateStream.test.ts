/** What does not compile, and what is kept in the types: checked by `tsc`. */
// @effect-diagnostics floatingEffect:off
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  Csv,
  Forecast,
  Outcome,
  TranslateError,
  TranslateStream,
  type TranslationStore,
  type Translator
} from "effect-translate"
import { JobSource } from "effect-translate/jobs"
import { describe, expectTypeOf, it } from "vitest"

interface Row {
  readonly sku: string
  readonly title: string
  readonly body: string | null
  readonly note?: string | undefined
  readonly price: number
  readonly parent: Option.Option<string>
  readonly tags: ReadonlyArray<string>
}

class CallersError {
  readonly _tag = "CallersError"
}

class CallersService extends Context.Tag("test/CallersService")<CallersService, unknown>() {}

/** Nothing here runs. */
const rows = Stream.empty as Stream.Stream<Row, CallersError, CallersService>
const texts = Stream.empty as Stream.Stream<string, CallersError, CallersService>
const options = { targetLang: "de" }

describe("translateField and translateFields", () => {
  it("take fields that hold text, may be null, or may be missing", () => {
    TranslateStream.translateField(rows, "title", options)
    TranslateStream.translateField(rows, "body", options)
    TranslateStream.translateField(rows, "note", options)
    TranslateStream.translateFields(rows, ["title", "body", "note"], options)
    rows.pipe(TranslateStream.translateField("title", options))
    rows.pipe(TranslateStream.translateFields(["title", "body", "note"], options))
  })

  it("do not compile with a misspelt field", () => {
    // @ts-expect-error
    TranslateStream.translateField(rows, "titel", options)
    // @ts-expect-error
    TranslateStream.translateFields(rows, ["title", "boddy"], options)
    // @ts-expect-error
    rows.pipe(TranslateStream.translateField("titel", options))
    // @ts-expect-error
    rows.pipe(TranslateStream.translateFields(["title", "boddy"], options))
  })

  it("name the field that is misspelt where it stands, in a pipe too", () => {
    rows.pipe(
      TranslateStream.translateField(
        // @ts-expect-error
        "titel",
        options
      )
    )
    rows.pipe(
      TranslateStream.translateFields(
        [
          "title",
          // @ts-expect-error
          "boddy"
        ],
        options
      )
    )
    rows.pipe(
      TranslateStream.translateFields(
        [
          // @ts-expect-error
          "price"
        ],
        options
      )
    )
  })

  it("keep the row's type in an operator that is made before its rows are known", () => {
    const operator = TranslateStream.translateFields(["title"], options)
    const translated = rows.pipe(operator)
    expectTypeOf<Stream.Stream.Success<typeof translated>>().toEqualTypeOf<Outcome.Outcome<Row, Row>>()
    // @ts-expect-error
    Stream.make({ sku: "A" }).pipe(operator)
  })

  it("do not compile with a field that holds no text", () => {
    // @ts-expect-error
    TranslateStream.translateField(rows, "price", options)
    // @ts-expect-error
    TranslateStream.translateField(rows, "parent", options)
    // @ts-expect-error
    TranslateStream.translateFields(rows, ["title", "tags"], options)
    // @ts-expect-error
    rows.pipe(TranslateStream.translateField("price", options))
    // @ts-expect-error
    rows.pipe(TranslateStream.translateFields(["title", "tags"], options))
  })

  it("keep the row's type", () => {
    const direct = TranslateStream.translateFields(rows, ["title"], options)
    const piped = rows.pipe(TranslateStream.translateFields(["title"], options))
    expectTypeOf<Stream.Stream.Success<typeof direct>>().toEqualTypeOf<Outcome.Outcome<Row, Row>>()
    expectTypeOf<Stream.Stream.Success<typeof piped>>().toEqualTypeOf<Outcome.Outcome<Row, Row>>()
  })
})

describe("a field that takes some strings only", () => {
  const Article = Schema.Struct({
    sku: Schema.String.pipe(Schema.brand("Sku")),
    status: Schema.Literal("draft", "live"),
    title: Schema.String,
    note: Schema.optional(Schema.NullOr(Schema.Literal("new")))
  })
  const articles = Stream.empty as Stream.Stream<typeof Article.Type>

  it("takes any string once it is translated", () => {
    const translated = articles.pipe(
      TranslateStream.translateFields(["sku", "status", "note"], options),
      Outcome.orFail
    )
    expectTypeOf<Stream.Stream.Success<typeof translated>>().toEqualTypeOf<{
      readonly sku: string
      readonly status: string
      readonly title: string
      readonly note?: string | null | undefined
    }>()
    const direct = TranslateStream.translateField(articles, "status", options)
    expectTypeOf<Stream.Stream.Success<typeof direct>["value"]["status"]>().toEqualTypeOf<string>()
    expectTypeOf<Stream.Stream.Success<typeof direct>["source"]["status"]>().toEqualTypeOf<"draft" | "live">()
  })

  it("is not written by the schema of its row", () => {
    articles.pipe(
      TranslateStream.translateField("status", options),
      Outcome.orFail,
      // @ts-expect-error
      Csv.encode(Article)
    )
    articles.pipe(
      TranslateStream.translateField("title", options),
      Outcome.orFail,
      Csv.encode(Schema.Struct({ status: Article.fields.status, title: Schema.String }))
    )
  })

  it("takes any string in the rows of a job", () => {
    JobSource.rows({
      name: "articles",
      rows: articles,
      key: ({ sku }) => sku,
      fields: ["status"],
      write: () => (outcomes) =>
        Stream.runForEach(outcomes, ({ value }) => {
          expectTypeOf(value.status).toEqualTypeOf<string>()
          return Effect.void
        })
    })
  })
})

describe("a helper of generic rows", () => {
  const translateTitle = <A extends { readonly title: string }, E, R>(rows: Stream.Stream<A, E, R>) =>
    rows.pipe(
      TranslateStream.translateWith({
        ...options,
        texts: (row: A) => [row.title] as const,
        replace: (row, [title]) => ({ ...row, title })
      })
    )

  it("keeps the type of the rows with translateWith", () => {
    const translated = translateTitle(rows)
    expectTypeOf<Stream.Stream.Success<typeof translated>["value"]["price"]>().toEqualTypeOf<number>()
  })
})

describe("the options", () => {
  it("do not compile when misspelt, under wire names, or with values that the specification does not know", () => {
    // @ts-expect-error
    TranslateStream.translate(texts, { targetLang: "de", formalty: "more" })
    // @ts-expect-error
    TranslateStream.translate(texts, { target_lang: "de" })
    // @ts-expect-error
    TranslateStream.translate(texts, { targetLang: "de", formality: "rude" })
    // @ts-expect-error
    TranslateStream.translate(texts, { sourceLang: "de" })
  })

  it("leave no choice about billed characters", () => {
    // @ts-expect-error
    TranslateStream.translate(texts, { targetLang: "de", showBilledCharacters: false })
  })

  it("take languages that do not exist yet", () => {
    TranslateStream.translate(texts, { targetLang: "xx-Latn", sourceLang: "yy" as string })
  })
})

describe("every operator", () => {
  const replace = { ...options, texts: (row: Row) => [row.title] as const, replace: (row: Row) => row.sku }
  const all = {
    text: TranslateStream.translate(texts, options),
    piped: texts.pipe(TranslateStream.translate(options)),
    field: TranslateStream.translateField(rows, "title", options),
    fieldPiped: rows.pipe(TranslateStream.translateField("title", options)),
    fields: TranslateStream.translateFields(rows, ["title"], options),
    with: TranslateStream.translateWith(rows, replace),
    withPiped: rows.pipe(TranslateStream.translateWith(replace))
  }
  type All = (typeof all)[keyof typeof all]

  it("keeps the caller's errors and adds its own", () => {
    expectTypeOf<Stream.Stream.Error<All>>().toEqualTypeOf<CallersError | Outcome.StreamError>()
  })

  it("keeps the caller's requirements and adds the translator", () => {
    expectTypeOf<Stream.Stream.Context<All>>().toEqualTypeOf<CallersService | Translator.Translator>()
  })

  it("yields an outcome of the value of `replace`", () => {
    expectTypeOf<Stream.Stream.Success<typeof all.with>>().toEqualTypeOf<Outcome.Outcome<string, Row>>()
    expectTypeOf<Stream.Stream.Success<typeof all.withPiped>>().toEqualTypeOf<Outcome.Outcome<string, Row>>()
    expectTypeOf<Stream.Stream.Success<typeof all.text>>().toEqualTypeOf<Outcome.Outcome<string, string>>()
  })
})

describe("TranslateError", () => {
  const failing = Effect.void as Effect.Effect<void, TranslateError.TranslateError>

  it("is a closed union: handling every tag leaves no error", () => {
    const ok = () => Effect.void
    const handled = failing.pipe(
      Effect.catchTags({
        InvalidRequest: ok,
        BadRequest: ok,
        Unauthorized: ok,
        NotFound: ok,
        PayloadTooLarge: ok,
        UriTooLong: ok,
        UnsupportedMediaType: ok,
        RateLimited: ok,
        QuotaExceeded: ok,
        ServerError: ok,
        UnexpectedStatus: ok,
        ProxyRefused: ok,
        TransportError: ok,
        TimedOut: ok,
        UndecodableResponse: ok,
        MismatchedResponse: ok,
        Outage: ok
      })
    )
    expectTypeOf<Effect.Effect.Error<typeof handled>>().toEqualTypeOf<never>()
  })

  it("does not compile with a tag that does not exist", () => {
    // @ts-expect-error
    failing.pipe(Effect.catchTag("RateLimitd", () => Effect.void))
  })

  it("tells the evidence of each tag", () => {
    failing.pipe(
      Effect.catchTag("RateLimited", (error) => {
        expectTypeOf(error.status).toEqualTypeOf<number>()
        expectTypeOf(error.traceId).toEqualTypeOf<string | undefined>()
        return Effect.void
      })
    )
    expectTypeOf<TranslateError.TranslateError["delivery"]>().toEqualTypeOf<
      "not-sent" | "rejected" | "ambiguous"
    >()
    expectTypeOf<TranslateError.TranslateError["attempts"]>().toEqualTypeOf<number>()
  })

  it("is the finding of the guard", () => {
    const value: unknown = undefined
    if (TranslateError.isTranslateError(value)) {
      expectTypeOf(value).toEqualTypeOf<TranslateError.TranslateError>()
    }
  })
})

describe("a forecast", () => {
  const texts = Stream.make("a")

  it("needs nothing and asks nobody, unless it has a store", () => {
    const forecast = Forecast.forecast(texts, { targets: ["de"] })
    expectTypeOf<Effect.Effect.Context<typeof forecast>>().toEqualTypeOf<never>()
    expectTypeOf<Effect.Effect.Error<typeof forecast>>().toEqualTypeOf<TranslateError.InvalidRequest>()
  })

  it("with a store needs the translator of the stream, and may fail as the stream does", () => {
    const options = { targets: ["de"] as const, store: {} as TranslationStore.Service | undefined }
    const forecast = Forecast.forecast(texts, options)
    expectTypeOf<Effect.Effect.Context<typeof forecast>>().toEqualTypeOf<Translator.Translator>()
    expectTypeOf<Effect.Effect.Error<typeof forecast>>().toEqualTypeOf<Outcome.StreamError>()
  })
})
