/** What a journal in a database does, whichever it is. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type { DocumentJournal } from "effect-translate/documents"
import { SqlDocumentJournal } from "effect-translate/workflow"
import type { Database } from "../support/databases.js"
import * as watchedClock from "../support/watchedClock.js"

const document = { file: "/in/a.txt", targetLang: "de", content: "c0ffee" }

const uploaded: DocumentJournal.Entry = {
  _tag: "Uploaded",
  handle: {
    documentId: "1",
    documentKey: Redacted.make("secret"),
    name: "a.txt",
    translatedName: "a.txt",
    targetLang: "de"
  }
}

/** A journal of another process, which is killed when its scope closes. */
const journal = (scope: Scope.Scope) => Scope.extend(SqlDocumentJournal.make, scope)

export const suite = ({ layer, name }: Database) =>
  describe.concurrent(`SqlDocumentJournal on ${name}`, () => {
    const test = <A, E>(title: string, effect: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
      it.scopedLive(title, () => Effect.provide(effect, layer))

    test(
      "another process reads the entries of one",
      Effect.gen(function* () {
        const [one, other] = [yield* SqlDocumentJournal.make, yield* SqlDocumentJournal.make]
        expect(yield* one.get(document)).toEqual(Option.none())
        yield* one.update(document, { _tag: "Sent" })
        yield* one.update(document, uploaded)
        const found = Option.getOrThrow(yield* other.get(document))
        expect(found._tag === "Uploaded" && Redacted.value(found.handle.documentKey)).toBe("secret")
      })
    )

    test(
      "of two processes that have read the same, one may send",
      Effect.gen(function* () {
        const [one, other] = [yield* SqlDocumentJournal.make, yield* SqlDocumentJournal.make]
        yield* Effect.all([one.get(document), other.get(document)])
        const exits = yield* Effect.all(
          [
            Effect.exit(one.update(document, { _tag: "Sent" })),
            Effect.exit(other.update(document, { _tag: "Sent" }))
          ],
          { concurrency: "unbounded" }
        )
        expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
        expect(String(exits.find(Exit.isFailure)?.cause)).toContain("Another machine works on /in/a.txt")
      })
    )

    test(
      "the upload of another process is waited for",
      Effect.gen(function* () {
        const [one, other] = [yield* SqlDocumentJournal.make, yield* SqlDocumentJournal.make]
        yield* one.update(document, { _tag: "Sent" })
        const clock = yield* watchedClock.make
        const found = yield* Effect.fork(clock.provide(other.get(document)))
        // It looks, waits, and looks again.
        yield* Effect.repeatN(clock.waiting, 2)
        expect(yield* Fiber.poll(found)).toEqual(Option.none())
        yield* one.update(document, uploaded)
        expect(Option.getOrThrow(yield* Fiber.join(found))._tag).toBe("Uploaded")
      })
    )

    test(
      "the upload of a process that was killed is told as it is, once its lease has ended",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const scope = yield* Scope.make()
        const killed = yield* journal(scope)
        yield* killed.update(document, { _tag: "Sent" })
        yield* Scope.close(scope, Exit.void)
        const other = yield* SqlDocumentJournal.make
        const clock = yield* watchedClock.make
        const found = yield* Effect.fork(clock.provide(other.get(document)))
        yield* clock.waiting
        expect(yield* Fiber.poll(found)).toEqual(Option.none())
        yield* sql`UPDATE effect_translate_documents SET leased_until = 1`
        expect(Option.getOrThrow(yield* Fiber.join(found))._tag).toBe("Sent")
      })
    )

    test(
      "the upload of a process that was frozen and goes on can't be taken over, though its lease had ended",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [frozen, other] = [yield* SqlDocumentJournal.make, yield* SqlDocumentJournal.make]
        yield* frozen.update(document, { _tag: "Sent" })
        yield* sql`UPDATE effect_translate_documents SET leased_until = 1`
        expect(Option.getOrThrow(yield* other.get(document))._tag).toBe("Sent")
        yield* sql`UPDATE effect_translate_documents SET leased_until = 9007199254740991`
        expect(String(yield* Effect.flip(other.update(document, { _tag: "Sent" })))).toContain(
          "Another machine works on /in/a.txt"
        )
        yield* frozen.update(document, uploaded)
        expect(Option.getOrThrow(yield* other.get(document))._tag).toBe("Uploaded")
      })
    )

    test(
      "a lasting error fails at once",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const one = yield* SqlDocumentJournal.make
        yield* sql`DROP TABLE effect_translate_documents`
        const failed = yield* Effect.flip(one.get(document))
        expect(failed._tag).toBe("DocumentJournalError")
      })
    )

    test(
      "several processes make the table at once",
      Effect.gen(function* () {
        const journals = yield* Effect.all(
          Array.from({ length: 8 }, () => SqlDocumentJournal.make),
          { concurrency: "unbounded" }
        )
        expect(journals).toHaveLength(8)
      })
    )
  })
