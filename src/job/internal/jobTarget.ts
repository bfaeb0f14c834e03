/** The languages of a job and the options of its texts, as data. */
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Text from "../../api/Text.js"
import * as Violation from "../../api/Violation.js"

const { targetLang: _, showBilledCharacters: _1, ...fields } = Text.optionFields

/**
 * The options of `POST /v2/translate` that all texts share.
 *
 * Source: service specification, Endpoints, Text translation, table of parameters.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Options = Schema.typeSchema(Schema.Struct(fields))

/**
 * The options of `POST /v2/translate` that all texts share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Schema.Schema.Type<typeof Options> {}

/** A language with its name in paths and options of its own. */
export const OwnTarget = Schema.Struct({
  lang: LanguageCode.TargetLanguage,
  /** Its name in paths, such as `zh-TW` for `zh-Hant`. @default its code, as `OutputPath` writes it */
  name: Schema.optional(
    Schema.String.pipe(
      Schema.pattern(/^[\w@+][\w@+.-]*$/, {
        message: () => "must be a name in paths, such as zh-TW: letters, digits and any of _@+.-"
      })
    )
  ),
  /** Options that differ from those of the job: a glossary, a style rule list, a formality. @default those of the job */
  options: Schema.optional(Schema.typeSchema(Schema.Struct(Struct.omit(fields, "sourceLang"))))
}).annotations({ identifier: "JobTarget" })

const rulesOf = (given: unknown): string =>
  Either.match(
    typeof given === "string"
      ? Either.map(decodeLanguage(given), constVoid)
      : Either.map(decodeOwn(given), constVoid),
    {
      onLeft: ({ issue }) => Violation.format(Violation.fromIssue(issue)),
      onRight: () => "is no target"
    }
  )

const decodeLanguage = Schema.decodeUnknownEither(LanguageCode.TargetLanguage)

const decodeOwn = Schema.decodeUnknownEither(OwnTarget, { errors: "all" })

/**
 * A language to translate into, in any casing; or the language with its name in paths and options of its own.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Target = Schema.Union(LanguageCode.TargetLanguage, OwnTarget).annotations({
  message: ({ actual }) => rulesOf(actual)
})

/**
 * A language to translate into.
 *
 * @since 0.1.0
 * @category models
 */
export type Target = typeof Target.Type

/** A language to translate into, in its canonical form. */
export interface OwnTarget extends Schema.Schema.Type<typeof OwnTarget> {}
