/**
 * What it takes to make a glossary of the service equal to a desired one, in the fewest calls. Nothing is called here.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type * as Glossary from "../api/Glossary.js"
import type * as GlossaryEntries from "../api/GlossaryEntries.js"
import { keyOf, pairOf } from "./internal/pair.js"

/**
 * A dictionary as it shall be. Languages are compared without their variants and in any casing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dictionary extends GlossaryEntries.LanguagePair {
  /** Entries that obey the rules of `GlossaryEntries.check`, in any order. */
  readonly entries: GlossaryEntries.GlossaryEntries
}

/**
 * A glossary as it shall be.
 *
 * @since 0.1.0
 * @category models
 */
export interface Desired {
  readonly name: string
  /** One or more dictionaries of different language pairs. */
  readonly dictionaries: ReadonlyArray<Dictionary>
}

/**
 * A dictionary as it is.
 *
 * @since 0.1.0
 * @category models
 */
export interface ActualDictionary extends GlossaryEntries.LanguagePair {
  /** How many entries it holds, where they are not given. @default 0 */
  readonly entryCount?: number | undefined
  /** Needed only where the desired glossary has the same language pair. @default none */
  readonly entries?: GlossaryEntries.GlossaryEntries | undefined
}

/**
 * A glossary as it is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Actual {
  readonly glossaryId: string
  readonly name: string
  readonly dictionaries: ReadonlyArray<ActualDictionary>
}

/**
 * How a glossary is made equal.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * What becomes of dictionaries of the service in language pairs that are not desired: a glossary equal to what is
   * desired has none. Keep them if others put their dictionaries into the same glossary.
   *
   * @default "delete"
   */
  readonly unlisted?: "delete" | "keep" | undefined
}

/**
 * One call that changes the service's glossary. Languages are base languages.
 *
 * @since 0.1.0
 * @category models
 */
export type Operation = Data.TaggedEnum<{
  /** `POST /v3/glossaries` */
  Create: { readonly request: Glossary.CreateRequest }
  /** `PATCH /v3/glossaries/{glossary_id}`: a new name, entries to merge, or both. */
  Update: { readonly glossaryId: string; readonly changes: Glossary.UpdateRequest }
  /** `PUT /v3/glossaries/{glossary_id}/dictionaries` */
  Put: { readonly glossaryId: string; readonly dictionary: Glossary.DictionaryInput }
  /** `DELETE /v3/glossaries/{glossary_id}/dictionaries` */
  Delete: { readonly glossaryId: string; readonly pair: Glossary.Pair }
}>

/**
 * Makes operations and matches on them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const Operation = Data.taggedEnum<Operation>()

/**
 * What becomes of a dictionary: `merge` sends the added entries, `create` and `replace` all of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Change extends GlossaryEntries.LanguagePair {
  readonly action: "create" | "replace" | "merge" | "delete" | "none"
  /** How many entries are new. */
  readonly added: number
  /** How many entries get another target. */
  readonly changed: number
  /** How many entries are gone. */
  readonly removed: number
  /** Which ones, by their sources. Those of a deleted dictionary are listed only if they were given. */
  readonly sources: {
    readonly added: ReadonlyArray<string>
    readonly changed: ReadonlyArray<string>
    readonly removed: ReadonlyArray<string>
  }
}

/**
 * The calls, in their order, and what they do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Plan {
  /** None if nothing is to be done. Deletions come last. */
  readonly operations: ReadonlyArray<Operation>
  /** Whether the glossary is new. */
  readonly created: boolean
  /** Whether the glossary gets another name. */
  readonly renamed: boolean
  /** What becomes of each dictionary: the desired ones in their order, then the others. */
  readonly changes: ReadonlyArray<Change>
}

/** A desired dictionary beside the actual one. */
interface Comparison {
  readonly dictionary: Dictionary
  readonly isNew: boolean
  readonly added: ReadonlyArray<GlossaryEntries.Entry>
  readonly same: ReadonlyArray<GlossaryEntries.Entry>
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const compare = (desired: Dictionary, actual: ActualDictionary | undefined): Comparison => {
  const targets = new Map(actual?.entries?.map(({ source, target }) => [source, target]))
  const added: Array<GlossaryEntries.Entry> = []
  const same: Array<GlossaryEntries.Entry> = []
  const changed: Array<string> = []
  for (const entry of desired.entries) {
    const target = targets.get(entry.source)
    if (target === undefined) added.push(entry)
    else if (target === entry.target) same.push(entry)
    else changed.push(entry.source)
    targets.delete(entry.source)
  }
  return {
    dictionary: { ...pairOf(desired), entries: desired.entries },
    isNew: actual === undefined,
    added,
    same,
    changed,
    removed: Array.from(targets.keys())
  }
}

const isMergeable = ({ added, changed, isNew, removed }: Comparison): boolean =>
  !isNew && added.length > 0 && changed.length === 0 && removed.length === 0

/** `{"dictionaries":[]}`: what a PATCH has around the dictionary that is the whole body of a PUT. */
const wrapperBytes = 19

/** Whether the entries that a merge leaves out are larger than the wrapper. A character has at least a byte. */
const isCheaperMerged = ({ same }: Comparison): boolean => {
  let bytes = 0
  // In JSON, the tab and the line break of an entry take two bytes each.
  return same.some(({ source, target }) => {
    bytes += source.length + target.length + 4
    return bytes > wrapperBytes
  })
}

/** The dictionary whose merge takes the new name along: then the name needs no call of its own. */
const carrierOf = (comparisons: ReadonlyArray<Comparison>): Comparison | undefined => {
  const mergeable = comparisons.filter(isMergeable)
  return mergeable.find(isCheaperMerged) ?? mergeable[0]
}

const actionOf = (comparison: Comparison, carriesName: boolean): Change["action"] => {
  const { added, changed, isNew, removed } = comparison
  if (isNew) return "create"
  if (isMergeable(comparison)) return carriesName || isCheaperMerged(comparison) ? "merge" : "replace"
  return added.length + changed.length + removed.length === 0 ? "none" : "replace"
}

const changeOf = (action: Change["action"], { added, changed, dictionary, removed }: Comparison): Change => ({
  ...pairOf(dictionary),
  action,
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  sources: { added: added.map(({ source }) => source), changed, removed }
})

const unlistedChange = (dictionary: ActualDictionary, { unlisted = "delete" }: Options): Change => {
  const removed = unlisted === "delete" ? (dictionary.entries ?? []).map(({ source }) => source) : []
  return {
    ...pairOf(dictionary),
    action: unlisted === "delete" ? "delete" : "none",
    added: 0,
    changed: 0,
    removed: unlisted === "delete" ? (dictionary.entries?.length ?? dictionary.entryCount ?? 0) : 0,
    sources: { added: [], changed: [], removed }
  }
}

/**
 * The fewest calls that make a glossary equal to the desired one, its id being kept. An equal dictionary takes none, any
 * other takes one:
 *
 * - entries were only added: they are merged, if that sends fewer bytes than the whole dictionary;
 * - entries were changed or removed, or the dictionary is new: it is put as a whole;
 * - it is not desired: it is deleted, unless `unlisted` is `"keep"`.
 *
 * A new name takes a call of its own only if no dictionary can be merged.
 *
 * Source: service specification, Endpoints, Glossaries (v3).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (desired: Desired, actual: Actual | undefined, options: Options = {}): Plan => {
  const others = new Map(actual?.dictionaries.map((dictionary) => [keyOf(dictionary), dictionary]))
  const comparisons = desired.dictionaries.map((dictionary) => {
    const key = keyOf(dictionary)
    const comparison = compare(dictionary, others.get(key))
    others.delete(key)
    return comparison
  })
  if (actual === undefined) {
    const dictionaries = comparisons.map(({ dictionary }) => dictionary)
    return {
      operations: [Operation.Create({ request: { name: desired.name, dictionaries } })],
      created: true,
      renamed: false,
      changes: comparisons.map((comparison) => changeOf("create", comparison))
    }
  }
  const { glossaryId } = actual
  const name = { name: desired.name }
  const renamed = desired.name !== actual.name
  const carrier = renamed ? carrierOf(comparisons) : undefined
  const operations: Array<Operation> =
    renamed && carrier === undefined ? [Operation.Update({ glossaryId, changes: name })] : []
  const changes: Array<Change> = []
  for (const comparison of comparisons) {
    const { added, dictionary } = comparison
    const action = actionOf(comparison, comparison === carrier)
    changes.push(changeOf(action, comparison))
    if (action === "merge") {
      const merge = { dictionary: { ...dictionary, entries: added } }
      const changes = comparison === carrier ? { ...name, ...merge } : merge
      operations.push(Operation.Update({ glossaryId, changes }))
    } else if (action !== "none") operations.push(Operation.Put({ glossaryId, dictionary }))
  }
  for (const dictionary of others.values()) {
    const change = unlistedChange(dictionary, options)
    changes.push(change)
    if (change.action === "delete") {
      operations.push(Operation.Delete({ glossaryId, pair: pairOf(dictionary) }))
    }
  }
  return { operations, created: false, renamed, changes }
}
