/** What a job fails with and needs, from its sources and callbacks: checked by `tsc`. */
// @effect-diagnostics floatingEffect:off
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { TranslateClient, TranslationStore, Translator } from "effect-translate"
import { type JobError, type JobReport, JobSource, TranslationJob } from "effect-translate/jobs"
import { describe, expectTypeOf, it } from "vitest"

interface Row {
  readonly id: number
  readonly title: string
  readonly price: number
}

class ReadError {
  readonly _tag = "ReadError"
}

class WriteError {
  readonly _tag = "WriteError"
}

class ReportError {
  readonly _tag = "ReportError"
}

class Database extends Context.Tag("test/Database")<Database, unknown>() {}

class Queue extends Context.Tag("test/Queue")<Queue, unknown>() {}

/** Nothing here runs. */
const database = JobSource.rows({
  name: "database",
  rows: Stream.empty as Stream.Stream<Row, ReadError, Database>,
  key: ({ id }) => String(id),
  fields: ["title"],
  write: () => (outcomes) => Stream.runDrain(outcomes)
})

const queue = JobSource.rowsWith({
  name: "queue",
  rows: Stream.empty as Stream.Stream<string>,
  key: (text) => text,
  texts: (text) => [text],
  replace: (_, [text]) => text,
  write: () => (outcomes) =>
    Effect.zipRight(
      Stream.runDrain(outcomes),
      Effect.fail(new WriteError()) as Effect.Effect<void, WriteError, Queue>
    )
})

type Needs = Translator.Translator | TranslationStore.TranslationStore | TranslateClient.TranslateClient

describe("TranslationJob.run", () => {
  it("fails with the errors of all its sources and callbacks, and has their requirements", () => {
    const run = TranslationJob.run({
      sources: [database, queue],
      targets: ["de"],
      onEnd: () => Effect.fail(new ReportError())
    })
    expectTypeOf<Effect.Effect.Success<typeof run>>().toEqualTypeOf<JobReport.JobReport>()
    expectTypeOf<Effect.Effect.Context<typeof run>>().toEqualTypeOf<Needs | Database | Queue>()
    expectTypeOf<Exclude<Effect.Effect.Error<typeof run>, JobError.JobError>>().toEqualTypeOf<
      ReadError | WriteError | ReportError
    >()
  })

  it("takes fields that hold text only", () => {
    JobSource.rows({
      name: "database",
      rows: Stream.empty as Stream.Stream<Row>,
      key: ({ id }) => String(id),
      // @ts-expect-error: a price is no text
      fields: ["price"],
      write: () => (outcomes) => Stream.runDrain(outcomes)
    })
  })
})
