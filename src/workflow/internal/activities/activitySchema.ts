/**
 * The payloads, results and errors of activities, as schemas: for the payload, success and error of workflows that are
 * composed of `Activities`. Encoded they are JSON.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Document from "../../../api/Document.js"
import * as GlossaryEntries from "../../../api/GlossaryEntries.js"
import * as Text from "../../../api/Text.js"
import * as WriteApi from "../../../api/Write.js"
import * as TranslateError from "../../../client/TranslateError.js"
import * as GlossarySync from "../../../glossary/GlossarySync.js"
import { is, TaggedError } from "../../../internal/taggedError.js"
import * as TranslateSchema from "../../../stream/TranslateSchema.js"

/**
 * An earlier run of the activity has sent something, and its process has ended before the answer was in the journal. It may have been
 * billed. Nothing was sent again. Only an activity without a store fails with this.
 */
export class InDoubt extends TaggedError<InDoubt>()(
  "InDoubt",
  {
    /** The name of the activity. */
    activity: Schema.String,
    /** The execution of the workflow. */
    execution: Schema.String
  },
  ({ activity, execution }) =>
    `It is unknown if the requests of the activity ${JSON.stringify(activity)} of the execution ${execution} were carried out: its process has ended before an answer was recorded. It may have been billed. Look at the usage, then run it again under another name, or give it onInDoubt: "repeat" or a TranslationStore.`
) {}

/** Returns `true` for an `InDoubt`. */
export const isInDoubt = is(InDoubt)

/**
 * Why an activity about texts fails as a whole.
 */
export const TextsError = Schema.Union(TranslateSchema.StreamError, InDoubt)

/**
 * Why an activity about texts fails as a whole.
 */
export type TextsError = typeof TextsError.Type

/** The results of texts. */
export const Texts = Schema.Struct({
  /** The new texts, in the order of the old ones. One that is blank or has failed is as it came. */
  texts: Schema.Array(Schema.String),
  /** The language of each text, as it was given or detected; none for those that are blank or have failed. */
  sourceLanguages: Schema.Array(Schema.NullOr(Schema.String)),
  /** The texts that have failed, by their positions. */
  failures: Schema.Array(Schema.Struct({ index: Schema.Number, error: TranslateSchema.StreamError })),
  /** The billed characters, and the number of texts by outcome. */
  tally: TranslateSchema.Tally
})

/** The results of texts. */
export interface Texts extends Schema.Schema.Type<typeof Texts> {}

// Payloads are no classes: workflows take them as plain objects, which the schema of a class refuses.

const translatePayload = Schema.Struct({
  texts: Schema.Array(Schema.String),
  ...Struct.omit(Text.optionFields, "showBilledCharacters")
})

/**
 * Texts to translate.
 */
export interface TranslatePayload extends Schema.Schema.Type<typeof translatePayload> {}

/**
 * Texts to translate: part of a workflow's payload.
 */
export const TranslatePayload: Schema.Schema<TranslatePayload> = Schema.typeSchema(translatePayload)

const rephrasePayload = Schema.Struct({
  mode: Schema.Literal("rephrase"),
  texts: Schema.Array(Schema.String),
  ...WriteApi.rephraseFields
})

const correctPayload = Schema.Struct({
  mode: Schema.Literal("correct"),
  texts: Schema.Array(Schema.String),
  ...WriteApi.correctFields
})

/** Texts to rephrase. */
export interface RephrasePayload extends Schema.Schema.Type<typeof rephrasePayload> {}

/** Texts to correct. */
export interface CorrectPayload extends Schema.Schema.Type<typeof correctPayload> {}

/**
 * Texts to improve in their own language.
 */
export type WritePayload = RephrasePayload | CorrectPayload

/**
 * Texts to improve in their own language: part of a workflow's payload.
 */
export const WritePayload: Schema.Schema<WritePayload> = Schema.typeSchema(
  Schema.Union(rephrasePayload, correctPayload)
)

const glossary = {
  dictionaries: Schema.Array(
    Schema.Struct({
      sourceLang: Schema.String,
      targetLang: Schema.String,
      entries: GlossaryEntries.GlossaryEntries
    })
  )
}

const prune = Schema.optional(Schema.Boolean)

const identifiedGlossary = Schema.Struct({
  ...glossary,
  prune,
  glossaryId: Schema.String,
  name: Schema.optional(Schema.String)
})

const namedGlossary = Schema.Struct({ ...glossary, prune, name: Schema.String })

const projectGlossary = Schema.Struct({
  ...glossary,
  project: Schema.String,
  label: Schema.optional(Schema.String),
  /** The time for which the version is kept at least, in milliseconds: as long as the workflow may take. @default 1 day */
  lease: Schema.optional(Schema.Number)
})

/** The desired glossary, by its id. */
export interface IdentifiedGlossary extends Schema.Schema.Type<typeof identifiedGlossary> {}

/** The desired glossary, by its name. */
export interface NamedGlossary extends Schema.Schema.Type<typeof namedGlossary> {}

/** The desired version of a project's glossary, which no other project shares. */
export interface ProjectGlossary extends Schema.Schema.Type<typeof projectGlossary> {}

/**
 * The desired glossary.
 */
export type GlossaryPayload = IdentifiedGlossary | NamedGlossary | ProjectGlossary

/**
 * The desired glossary: part of a workflow's payload.
 */
export const GlossaryPayload: Schema.Schema<GlossaryPayload> = Schema.Union(
  identifiedGlossary,
  namedGlossary,
  projectGlossary
)

/**
 * Why a glossary can't be synchronised.
 */
export const GlossaryError = Schema.Union(TranslateError.CallError, GlossarySync.GlossarySyncError)

const documentPayload = Schema.Struct({
  file: Schema.String,
  output: Schema.String,
  ...Document.optionFields,
  /** Replaces an existing output. @default false */
  overwrite: Schema.optional(Schema.Boolean),
  /** The states in which an upload may be repeated, although the service may have taken it before. @default nothing */
  resubmit: Schema.optional(Schema.Array(Schema.Literal("ambiguous", "lost", "failed")))
})

/**
 * A file to translate into another file.
 */
export interface DocumentPayload extends Schema.Schema.Type<typeof documentPayload> {}

/**
 * A file to translate into another file: part of a workflow's payload. Both paths have to lead to the same on every machine.
 */
export const DocumentPayload: Schema.Schema<DocumentPayload> = Schema.typeSchema(documentPayload)
