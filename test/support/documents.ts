/** Documents for tests. */
import * as Effect from "effect/Effect"
import { TranslateClient } from "effect-translate"
import type { Documents } from "effect-translate/documents"
import { DocumentJournal } from "effect-translate/documents"
import * as identity from "../../src/document/internal/identity.js"

/** Texts of five characters, each another one: of equal files one alone is uploaded. The first is "Hello". */
export const fiveCharacters = (index: number): string => `Hell${index === 0 ? "o" : index.toString(36)}`

/** What a journal calls a document by what it holds now. */
export const idOf = (source: identity.Source<unknown>, options: Documents.UploadOptions) =>
  Effect.gen(function* () {
    const names = yield* identity.namesOf(source, "", options)
    const client = yield* TranslateClient.TranslateClient
    const held = yield* identity.contentOf(client.identity.service, source, options)
    return identity.subjectOf(names, held?.content)
  })

/** What the journal knows of a document by what it holds now. */
export const entryOf = (source: identity.Source<unknown>, options: Documents.UploadOptions) =>
  Effect.flatMap(idOf(source, options), (id) =>
    Effect.flatMap(DocumentJournal.DocumentJournal, (journal) => journal.get(id))
  )
