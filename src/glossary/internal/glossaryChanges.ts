import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import type * as Glossary from "../../api/Glossary.js"
import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"

/**
 * A desired dictionary. Languages are compared without their variants and in any casing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dictionary extends GlossaryEntries.LanguagePair {
  /** Entries that obey the rules of `GlossaryEntries.check`, in any order. */
  readonly entries: GlossaryEntries.GlossaryEntries
}

/**
 * The options of every synchronisation.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonOptions {
  /** One or more dictionaries of different language pairs, each with at least one entry. */
  readonly dictionaries: ReadonlyArray<Dictionary>
  /**
   * Deletes the dictionaries of the service in other language pairs: a glossary that is equal has none. False if others
   * write to the same glossary. @default true
   */
  readonly prune?: boolean | undefined
  /** Only reports the changes, and makes none. @default false */
  readonly dryRun?: boolean | undefined
}

/**
 * The change of a dictionary: `merge` sends the added entries, `create` and `replace` all of them. The encoded form is
 * JSON.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Change = Schema.Struct({
  sourceLang: Schema.String,
  targetLang: Schema.String,
  action: Schema.Literal("create", "replace", "merge", "delete", "none"),
  /** The number of new entries. */
  added: Schema.Number,
  /** The number of entries that get another target. */
  changed: Schema.Number,
  /** The number of removed entries. */
  removed: Schema.Number,
  /** Which ones, by their sources. Those of a deleted dictionary are not listed. */
  sources: Schema.Struct({
    added: Schema.Array(Schema.String),
    changed: Schema.Array(Schema.String),
    removed: Schema.Array(Schema.String)
  })
})

/**
 * The change of a dictionary.
 *
 * @since 0.1.0
 * @category models
 */
export interface Change extends Schema.Schema.Type<typeof Change> {}

/** The glossary that is wanted: one or more dictionaries of different language pairs. */
export interface Desired {
  readonly name: string
  readonly dictionaries: ReadonlyArray<Dictionary>
}

/** A dictionary of the service. */
export interface ActualDictionary extends GlossaryEntries.LanguagePair {
  /** The number of its entries. */
  readonly entryCount?: number | undefined
  /** Needed only if the desired glossary has the same language pair. */
  readonly entries?: GlossaryEntries.GlossaryEntries | undefined
}

/** The glossary of the service. */
export interface Actual {
  readonly glossaryId: string
  readonly name: string
  readonly dictionaries: ReadonlyArray<ActualDictionary>
}

/** One call that changes the glossary of the service. Languages are base languages. */
export type Operation = Data.TaggedEnum<{
  /** `POST /v3/glossaries` */
  Create: { readonly request: Glossary.CreateRequest }
  /** `PATCH /v3/glossaries/{glossary_id}`: a new name, entries to merge, or both. */
  Update: { readonly glossaryId: string; readonly changes: Glossary.UpdateRequest }
  /** `PUT /v3/glossaries/{glossary_id}/dictionaries` */
  Replace: { readonly glossaryId: string; readonly dictionary: Glossary.DictionaryInput }
  /** `DELETE /v3/glossaries/{glossary_id}/dictionaries` */
  Delete: { readonly glossaryId: string; readonly pair: Glossary.Pair }
}>

export const Operation = Data.taggedEnum<Operation>()

export interface Plan {
  /** None if there is nothing to do. Deletions come last. */
  readonly operations: ReadonlyArray<Operation>
  /** True if the glossary is new. */
  readonly created: boolean
  /** True if the glossary gets another name. */
  readonly renamed: boolean
  /** The change of each dictionary: the desired ones in their order, then the others. */
  readonly changes: ReadonlyArray<Change>
}

/** The pair in base languages, as the service takes it. */
export const pairOf = ({
  sourceLang,
  targetLang
}: GlossaryEntries.LanguagePair): GlossaryEntries.LanguagePair => ({
  sourceLang: LanguageCode.base(sourceLang),
  targetLang: LanguageCode.base(targetLang)
})

/** The pair as one string, the same for all variants and casings. */
export const keyOf = (pair: GlossaryEntries.LanguagePair): string => Object.values(pairOf(pair)).join(" ")

/** The differences between a desired dictionary and the actual one. */
interface Comparison {
  readonly dictionary: Dictionary
  readonly isNew: boolean
  readonly added: ReadonlyArray<GlossaryEntries.Entry>
  /** The number of entries that stay as they are. */
  readonly kept: number
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

const compare = (desired: Dictionary, actual: ActualDictionary | undefined): Comparison => {
  const targets = new Map(actual?.entries?.map(({ source, target }) => [source, target]))
  const added: Array<GlossaryEntries.Entry> = []
  const changed: Array<string> = []
  let kept = 0
  for (const entry of desired.entries) {
    const target = targets.get(entry.source)
    if (target === undefined) added.push(entry)
    else if (target === entry.target) kept++
    else changed.push(entry.source)
    targets.delete(entry.source)
  }
  return {
    dictionary: { ...pairOf(desired), entries: desired.entries },
    isNew: actual === undefined,
    added,
    kept,
    changed,
    removed: Array.from(targets.keys())
  }
}

/**
 * True if entries were only added. The specification does not define the merge of an entry that the dictionary has already,
 * so a changed entry takes a replacement, as a removed one does.
 */
const isMergeable = ({ added, changed, isNew, removed }: Comparison): boolean =>
  !isNew && added.length > 0 && changed.length === 0 && removed.length === 0

const actionOf = (comparison: Comparison, carriesName: boolean): Change["action"] => {
  const { added, changed, isNew, kept, removed } = comparison
  if (isNew) return "create"
  if (added.length + changed.length + removed.length === 0) return "none"
  return isMergeable(comparison) && (kept > 0 || carriesName) ? "merge" : "replace"
}

const changeOf = (action: Change["action"], { added, changed, dictionary, removed }: Comparison): Change => ({
  ...pairOf(dictionary),
  action,
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  sources: { added: added.map(({ source }) => source), changed, removed }
})

const undesiredChange = (
  { entries, entryCount = 0, ...pair }: ActualDictionary,
  isDeleted: boolean
): Change => ({
  ...pairOf(pair),
  action: isDeleted ? "delete" : "none",
  added: 0,
  changed: 0,
  removed: isDeleted ? (entries?.length ?? entryCount) : 0,
  sources: { added: [], changed: [], removed: isDeleted ? (entries ?? []).map(({ source }) => source) : [] }
})

/**
 * The fewest calls that make a glossary equal to the desired one. It keeps its id. An equal dictionary takes no call, any
 * other one takes one:
 *
 * - entries were only added, and others are kept: the added ones are merged;
 * - entries were changed or removed, none is kept, or the dictionary is new: the whole dictionary is sent;
 * - it is not desired: it is deleted, unless `prune` is false.
 *
 * A new name goes with a merge. If nothing can be merged, it takes a call of its own.
 */
export const make = (
  desired: Desired,
  actual: Actual | undefined,
  { prune = true }: Pick<CommonOptions, "prune"> = {}
): Plan => {
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
  const mergeable = comparisons.filter(isMergeable)
  const carrier = renamed ? (mergeable.find(({ kept }) => kept > 0) ?? mergeable[0]) : undefined
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
    } else if (action !== "none") operations.push(Operation.Replace({ glossaryId, dictionary }))
  }
  for (const dictionary of others.values()) {
    changes.push(undesiredChange(dictionary, prune))
    if (prune) {
      const { sourceLang, targetLang } = dictionary
      operations.push(Operation.Delete({ glossaryId, pair: { sourceLang, targetLang } }))
    }
  }
  return { operations, created: false, renamed, changes }
}
