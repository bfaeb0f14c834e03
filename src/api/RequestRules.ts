/**
 * The rules of requests that a kind of service may have relaxed, and their checks. They look at requests that may still
 * be malformed.
 *
 * @since 0.1.0
 */
import type * as Document from "./Document.js"
import type * as Glossary from "./Glossary.js"
import type * as ServiceKind from "./ServiceKind.js"
import type * as Text from "./Text.js"
import type { Violation } from "./Violation.js"

/**
 * A rule that a request breaks, and its name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem extends Violation {
  readonly check: ServiceKind.Rule
}

const withGlossary = (
  request: Partial<Pick<Text.TranslateOptions, "sourceLang" | "glossaryId" | "glossaryIds">>
): ReadonlyArray<Problem> =>
  request.sourceLang !== undefined
    ? []
    : (["glossaryId", "glossaryIds"] as const)
        .filter((field) => request[field] !== undefined)
        .map((field) => ({
          check: "glossaryWithoutSource",
          field,
          rule: "needs `sourceLang`: set the language that is translated from"
        }))

const latency = (options: Partial<Text.TranslateOptions>): ReadonlyArray<Problem> => {
  const fix =
    'can\'t be combined with `modelType` "latency_optimized": drop `modelType` or set "quality_optimized"'
  const { customInstructions, styleId, tagHandlingVersion, translationMemoryId } = options
  const found: Array<Problem> = []
  const add = (check: ServiceKind.Rule, field: string, rule = fix) => found.push({ check, field, rule })
  if (tagHandlingVersion === "v2") add("latencyWithTagHandlingV2", "tagHandlingVersion", `"v2" ${fix}`)
  if (styleId !== undefined) add("latencyWithStyle", "styleId")
  if (Array.isArray(customInstructions) && customInstructions.length > 0)
    add("latencyWithInstructions", "customInstructions")
  if (translationMemoryId !== undefined) add("latencyWithMemory", "translationMemoryId")
  return found
}

/**
 * The problems of the options of texts: a glossary without `sourceLang`, and options that are forbidden together with
 * the model `latency_optimized`.
 *
 * Source: service specification, Endpoints, Text translation, table of parameters; wire facts, "Translation memories, the whole group".
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofTexts = (options: Partial<Text.TranslateOptions>): ReadonlyArray<Problem> => {
  const glossary = withGlossary(options)
  return options.modelType === "latency_optimized" ? [...glossary, ...latency(options)] : glossary
}

/**
 * The problems of the options of an upload: a glossary without `sourceLang`.
 *
 * Source: service specification, Endpoints, Document translation, table of fields.
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofDocument = (options: Partial<Document.UploadOptions>): ReadonlyArray<Problem> =>
  withGlossary(options)

/**
 * The problems of an upload's file: its type, which is the extension of its name, and its size in bytes.
 *
 * Source: service specification, Endpoints, Document translation; wire facts, "What the public service has learned since".
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofFile = (
  { documentBytes, documentTypes }: ServiceKind.ServiceKind,
  file: { readonly name: string; readonly type: string; readonly size: number; readonly field: string }
): ReadonlyArray<Problem> => {
  const { field, name, size, type } = file
  const found: Array<Problem> = []
  if (!documentTypes.includes(type)) {
    found.push({
      check: "documentTypes",
      field,
      rule: `is ${JSON.stringify(name)}, ${type === "" ? "which has no extension" : "whose extension the service does not take"}: the types are ${documentTypes.join(", ")}`
    })
  }
  const limit = Object.hasOwn(documentBytes, type) ? documentBytes[type] : undefined
  if (limit !== undefined && size > limit) {
    found.push({
      check: "limits",
      field: "file.size",
      rule: `is ${size}; the service takes ${limit} bytes of a ${type} at most: split it`
    })
  }
  return found
}

/**
 * The problems of a new glossary: it has no dictionary.
 *
 * Source: service specification, Endpoints, Glossaries (v3), "an array of one or more dictionaries".
 *
 * @since 0.1.0
 * @category combinators
 */
export const ofGlossary = ({ dictionaries }: Partial<Glossary.CreateRequest>): ReadonlyArray<Problem> =>
  Array.isArray(dictionaries) && dictionaries.length === 0
    ? [
        {
          check: "glossaryWithoutDictionaries",
          field: "dictionaries",
          rule: "is empty: give one or more dictionaries"
        }
      ]
    : []
