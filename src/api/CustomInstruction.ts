/**
 * Custom instructions of a style rule list.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as checks from "./internal/checks.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Limits from "./Limits.js"

/**
 * An instruction of a style rule list.
 *
 * Source: service specification, Resources, "Custom instruction".
 *
 * @since 0.1.0
 * @category schemas
 */
export const CustomInstruction = wire.named("CustomInstruction", {
  id: Schema.String,
  /** Empty if the answer leaves it out. */
  label: wire.defaulted(Schema.String, "label", () => ""),
  prompt: Schema.String,
  /** The language of the texts that it applies to; absent if it applies to all. */
  sourceLanguage: wire.hint(LanguageCode.LanguageCode, "source_language")
})

/**
 * An instruction of a style rule list.
 *
 * @since 0.1.0
 * @category models
 */
export interface CustomInstruction extends Schema.Schema.Type<typeof CustomInstruction> {}

const instruction = {
  /** The name, up to 100 characters. */
  label: checks.text(Limits.customInstructionLabelCharacters, "shorten it"),
  /** The instruction for translations, up to 300 characters. */
  prompt: checks.text(Limits.customInstructionPromptCharacters, "shorten it or split it in two")
}

/**
 * A new instruction.
 *
 * Source: service specification, Resources, "Custom instruction".
 *
 * @since 0.1.0
 * @category schemas
 */
export const NewInstruction = Schema.Struct({
  ...instruction,
  /** The language of the texts that it applies to; any casing. @default all */
  sourceLanguage: wire.optional(LanguageCode.SourceLanguage, "source_language")
}).annotations({ ...wire.strict, identifier: "NewInstruction" })

/**
 * A new instruction.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewInstruction extends Schema.Schema.Type<typeof NewInstruction> {}

/**
 * The replacement of an instruction, with all fields.
 *
 * Source: service specification, Endpoints, Style rules, "all fields must be provided".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Replacement = Schema.Struct({
  ...instruction,
  /** The language of the texts that it applies to, any casing; `null` for all. */
  sourceLanguage: wire.required(Schema.NullOr(LanguageCode.SourceLanguage), "source_language")
}).annotations({ ...wire.strict, identifier: "InstructionReplacement" })

/**
 * The replacement of an instruction, with all fields.
 *
 * @since 0.1.0
 * @category models
 */
export interface Replacement extends Schema.Schema.Type<typeof Replacement> {}
