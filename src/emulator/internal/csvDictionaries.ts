import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as GlossaryCsv from "../../glossary/GlossaryCsv.js"
import { refuse } from "./answer.js"

const pairOf = (dictionary: object): GlossaryEntries.LanguagePair | undefined =>
  Predicate.hasProperty(dictionary, "source_lang") &&
  Predicate.isString(dictionary.source_lang) &&
  Predicate.hasProperty(dictionary, "target_lang") &&
  Predicate.isString(dictionary.target_lang)
    ? { sourceLang: dictionary.source_lang, targetLang: dictionary.target_lang }
    : undefined

/** Turns the CSV entries of a dictionary into TSV, which the contract exchanges; other dictionaries stay as they are. */
const inTsv = (dictionary: unknown): Either.Either<unknown, GlossaryEntries.GlossaryEntriesError> =>
  Predicate.isReadonlyRecord(dictionary) &&
  dictionary.entries_format === "csv" &&
  Predicate.isString(dictionary.entries)
    ? // A byte order mark is a part of a phrase: readers of files skip the one that is put before it.
      Either.map(
        GlossaryCsv.decode(`\uFEFF${dictionary.entries}`, pairOf(dictionary)),
        ({ entries }): object => ({
          ...dictionary,
          entries: entries.map(({ source, target }) => `${source}\t${target}`).join("\n"),
          entries_format: "tsv"
        })
      )
    : Either.right(dictionary)

/** The body of a request about glossaries, whose dictionaries may be CSV, or the answer that refuses it. */
export const toTsv = (json: unknown): Effect.Effect<unknown, HttpServerResponse.HttpServerResponse> =>
  inTsv(json).pipe(
    Either.flatMap((body) =>
      Predicate.isReadonlyRecord(body) && Array.isArray(body.dictionaries)
        ? Either.map(Either.all(body.dictionaries.map(inTsv)), (dictionaries) => ({ ...body, dictionaries }))
        : Either.right(body)
    ),
    Effect.mapError(({ message }) => refuse(400, "Invalid glossary entries", {}, message))
  )
