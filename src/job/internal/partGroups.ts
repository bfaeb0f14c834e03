/** Parts by the options of their requests. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Format from "../../format/Format.js"
import type { Part } from "../../format/Format.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as FileTranslation from "./fileOptions.js"
import { elements, isGrouped, streamOptions } from "./partOptions.js"
import { keyOfPlaceholders } from "./sharedRequests.js"

/** Parts among which those of the same options are looked for. */
export const window = 4096

/** The caller's placeholders, which go before those of parts. */
export type Grouping = Pick<FileTranslation.Options, "options" | "useContext">

/** Parts that share their requests, and where each is among those of the window. */
export interface Group {
  readonly options: TranslateStream.Options
  readonly parts: Array<Part>
  readonly indices: Array<number>
}

const contextOf = (own: string | undefined, given: string | undefined): string | undefined =>
  own === undefined || own === "" ? given : given === undefined ? own : `${given}\n${own}`

/** The options of texts whose own file says which placeholders they have: all else that could be prose is prose. */
const ofOwn = (placeholders: Format.Placeholders, { syntax }: TranslateStream.Options) => ({
  placeholders,
  syntax: { ...syntax, ...(syntax?.place === "catalogue" ? { place: "document" as const } : undefined) }
})

export const groupsOf = (
  parts: ReadonlyArray<Part>,
  options: TranslateStream.Options,
  { options: { placeholders: given }, useContext }: Grouping
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  parts.forEach((part, index) => {
    // Parts that are only passed through go with any others.
    const isText = part.units.length > 0
    const placeholders = isText && given === undefined ? part.placeholders : undefined
    const context = useContext === true && isText ? contextOf(part.context, options.context) : options.context
    const key = `${keyOfPlaceholders(placeholders)}\n${context ?? ""}`
    const group: Group = groups.get(key) ?? {
      options: { ...options, context, ...(placeholders && ofOwn(placeholders, options)) },
      parts: [],
      indices: []
    }
    groups.set(key, group)
    group.parts.push(part)
    group.indices.push(index)
  })
  return Array.from(groups.values())
}

export const collect = <E, R>(self: Stream.Stream<Part, E, R>) =>
  Effect.suspend(() => {
    const parts: Array<Part> = []
    return Stream.runForEachChunk(self, (chunk) => Effect.sync(() => void parts.push(...chunk))).pipe(
      Effect.either,
      Effect.map((end) => ({ parts, end }))
    )
  })

/** All parts of a small source, by the options of their requests. */
export const sharedGroupsOf = (parts: ReadonlyArray<Part>, options: FileTranslation.Options) => {
  const given = streamOptions(options)
  const groups = isGrouped(options)
    ? groupsOf(parts, given, options)
    : [{ options: given, parts, indices: Array.from(parts.keys()) }]
  const found = elements(options.units)
  return groups.map(({ indices, options, parts }) => ({
    indices,
    texts: { options: { ...options, ...found }, elements: parts }
  }))
}
