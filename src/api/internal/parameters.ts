import * as Schema from "effect/Schema"
import * as Limits from "../Limits.js"
import * as checks from "./checks.js"

/** Parameters that texts and documents share. */
export const id = Schema.String.pipe(
  Schema.filter((id) => (id === "" ? "is empty: leave it out or give an id" : true))
)

/** The bytes of a document that arrives. */
export const fileContent = Schema.Uint8ArrayFromSelf.pipe(
  Schema.filter((bytes) => (bytes.length > 0 ? true : "is empty: there is nothing to translate"))
)

export const glossaries = checks.list(id, Limits.translateGlossaries, "merge glossaries or choose among them")

export const translationMemory = Schema.String.pipe(
  // Without the flag `i`: patterns of JSON Schema have no flags.
  Schema.pattern(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, {
    message: () => "must be a UUID: take the id from the list of translation memories"
  })
)

const { max, min } = Limits.translationMemoryThreshold

export const thresholdJson = { jsonSchema: { type: "integer", minimum: min, maximum: max } }

export const threshold = Schema.Number.pipe(
  Schema.filter((value) =>
    Number.isInteger(value) && value >= min && value <= max
      ? true
      : `is ${value}; it must be a whole number from ${min} to ${max}: ${Limits.translationMemoryThreshold.default} or more is recommended`
  )
).annotations(thresholdJson)

/** The rules of the specification for glossaries that need no request to check. */
export const glossaryProblems = (request: {
  readonly sourceLang?: string | undefined
  readonly glossaryId?: string | undefined
  readonly glossaryIds?: ReadonlyArray<string> | undefined
}): ReadonlyArray<Schema.FilterIssue> => {
  const found: Array<Schema.FilterIssue> = []
  for (const field of ["glossaryId", "glossaryIds"] as const) {
    if (request[field] !== undefined && request.sourceLang === undefined) {
      found.push({ path: [field], message: "needs `sourceLang`: set the language that is translated from" })
    }
  }
  if (request.glossaryId !== undefined && request.glossaryIds !== undefined) {
    found.push({
      path: ["glossaryIds"],
      message: "can't be combined with `glossaryId`: put all ids into `glossaryIds`"
    })
  }
  return found
}
