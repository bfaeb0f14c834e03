/** The units of a source, of its output and of the output's record: which is which. */
import type { Format, Part, Unit } from "../../format/Format.js"
import * as alignment from "./alignment.js"
import { type Entry, entryOf, hashOf, type OutputRecord } from "./record.js"

/** A source, its output as it is, and the record of that. */
export interface Matched {
  readonly format: Pick<Format, "isBilingual" | "listOf" | "merge">
  readonly record: OutputRecord
  readonly source: ReadonlyArray<Part>
  /** No parts if there is none. */
  readonly target: ReadonlyArray<Part>
  /** True if the output is kept, and only its texts are replaced. Its keys are names then. */
  readonly isMerged: boolean
}

export interface Matching {
  readonly sources: ReadonlyMap<string, Unit>
  readonly targets: ReadonlyMap<string, Unit>
  /** True if the output is the source, which holds both languages. */
  readonly isOwnTarget: boolean
  /** The key in the output of a unit of the source. */
  readonly originOf: (key: string) => string | undefined
  /** The entry of a unit of the output. */
  readonly entryOf: (key: string) => Entry | undefined
  /** The translation that a unit of the output holds. */
  readonly textOf: (unit: Unit | undefined) => string | undefined
  /** Keys of the output that no unit of the source has. */
  readonly removed: ReadonlyArray<string>
}

/** The keys of the units of a file. */
export const keysOf = (parts: ReadonlyArray<Part>): ReadonlySet<string> =>
  new Set(parts.flatMap(({ units }) => units.map(({ key }) => key)))

/** The units of parts, by their keys. */
export const unitsOf = (parts: ReadonlyArray<Part>): ReadonlyMap<string, Unit> =>
  new Map(parts.flatMap(({ units }) => units.map((unit) => [unit.key, unit])))

/** The units that a target holds: without plural forms that it lacks. */
const presentIn = (parts: ReadonlyArray<Part>): ReadonlyMap<string, Unit> =>
  new Map([...unitsOf(parts)].filter(([, { isOfOtherForm }]) => isOfOtherForm !== true))

/** True for a format whose outputs are always written anew from their sources. */
export const isAnew = ({ isBilingual, merge }: Pick<Format, "isBilingual" | "merge">): boolean =>
  !isBilingual && merge === undefined

/** Returns the function that tells keys that say a place, such as a line or an item of a list, from keys that are names. */
const placeTeller =
  (format: Matched["format"]) =>
  (key: string): boolean =>
    isAnew(format) || (!format.isBilingual && format.listOf?.(key) !== undefined)

/** The key in a record of a unit that is known by its source: the hash of that, and how many units before it have the same. */
const byContent = /^#([0-9a-f]{16})(?:\.(\d+))?$/

/** The units of a record, by the entries of an output's units in their order: those whose keys say a place have the hashes of their sources. */
export const recorded = (
  format: Matched["format"],
  entries: Iterable<readonly [key: string, entry: Entry]>
): OutputRecord["units"] => {
  const isPlace = placeTeller(format)
  const times = new Map<string, number>()
  const units = new Map<string, ReadonlyArray<Entry>>()
  for (const [key, entry] of entries) {
    const { source } = entry
    const time = times.get(source) ?? 0
    if (isPlace(key)) times.set(source, time + 1)
    units.set(isPlace(key) ? `#${source}${time === 0 ? "" : `.${time}`}` : key, [entry])
  }
  return units
}

const push = <K, A>(lists: Map<K, Array<A>>, key: K, value: A): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Units in the order of their file. */
interface Placed {
  readonly key: string
  readonly text: string
  readonly hash: string
}

const placed = (
  units: Iterable<readonly [string, string | undefined]>,
  isPlace: (key: string) => boolean
): ReadonlyArray<Placed> =>
  Array.from(units).flatMap(([key, text = ""]) => (isPlace(key) ? [{ key, text, hash: hashOf(text) }] : []))

const indicesOf = <A>(all: ReadonlyArray<A>, is: (value: A, index: number) => boolean) =>
  Array.from(all.keys()).filter((index) => is(all[index]!, index))

/**
 * The entries of units that are known by their places: an entry has the hash of their text. One that was changed since has the entry that is
 * left between those of its neighbours, by the order of the sources.
 */
const entriesOfPlaces = (
  targets: ReadonlyArray<Placed>,
  sources: ReadonlyArray<Placed>,
  { past = new Map(), units }: OutputRecord
): ReadonlyMap<string, Entry> => {
  const positions = new Map<string, Array<number>>()
  for (const [index, { hash }] of sources.entries()) push(positions, hash, index)
  const positioned = (units: OutputRecord["units"]) =>
    Array.from(units).flatMap(([key, entries]) => {
      const [, source, time = "0"] = byContent.exec(key) ?? []
      if (source === undefined) return []
      const position = positions.get(source)?.[Number(time)]
      return entries.map((entry) => ({ key, entry, position }))
    })
  const all = positioned(units)
  const order = (position: number | undefined) => position ?? Number.POSITIVE_INFINITY
  all.sort((a, b) => order(a.position) - order(b.position))
  const byTarget = new Map<string, typeof all>()
  for (const one of [...all, ...positioned(past)]) push(byTarget, one.entry.target, one)
  const found = new Map<number, (typeof all)[number]>()
  const taken = new Set<string>()
  targets.forEach(({ hash }, index) => {
    const one = byTarget.get(hash)?.shift()
    if (one === undefined) return
    found.set(index, one)
    taken.add(one.key)
  })
  const left = all.filter(({ key }) => !taken.has(key))
  const without = indicesOf(targets, (_, index) => !found.has(index))
  const anchors = Array.from(found).flatMap(
    ([index, { position }]): Array<alignment.Pair> => (position === undefined ? [] : [[index, position]])
  )
  const known = new Map(left.flatMap((one) => (one.position === undefined ? [] : [[one.position, one]])))
  for (const [index, position] of alignment.between(anchors, without, Array.from(known.keys()))) {
    found.set(index, known.get(position)!)
  }
  const last = indicesOf(targets, (_, index) => !found.has(index))
  const used = new Set(found.values())
  const rest = left.filter((one) => !used.has(one))
  if (last.length === 1 && rest.length === 1) found.set(last[0]!, rest[0]!)
  return new Map(Array.from(found, ([index, { entry }]) => [targets[index]!.key, entry]))
}

/**
 * The keys of the output's units by those of the source's, where keys say places: the same source; then the likest source of what a person
 * has translated; then the order between those.
 */
const originsOfPlaces = (
  targets: ReadonlyArray<Placed>,
  sources: ReadonlyArray<Placed>,
  entries: ReadonlyMap<string, Entry>
): ReadonlyMap<string, string> => {
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  const add = ([target, source]: alignment.Pair) => {
    pairs.set(target, source)
    taken.add(source)
  }
  const bySource = new Map<string, Array<number>>()
  for (const [index, { hash }] of sources.entries()) push(bySource, hash, index)
  targets.forEach(({ key }, index) => {
    const position = bySource.get(entries.get(key)?.source ?? "")?.shift()
    if (position !== undefined) add([index, position])
  })
  const leftOf = () => ({
    targets: indicesOf(targets, (_, index) => !pairs.has(index)),
    sources: indicesOf(sources, (_, index) => !taken.has(index))
  })
  const unlike = leftOf()
  for (const pair of alignment.alike(
    unlike.targets.flatMap((index) => {
      const text = entries.get(targets[index]!.key)?.text
      return text === undefined ? [] : [[index, text] as const]
    }),
    unlike.sources.map((index) => [index, sources[index]!.text] as const)
  ))
    add(pair)
  const left = leftOf()
  for (const pair of alignment.between(Array.from(pairs), left.targets, left.sources)) add(pair)
  return new Map(Array.from(pairs, ([target, source]) => [sources[source]!.key, targets[target]!.key]))
}

/**
 * Keys that are new in the source and have the text of one that is gone: the unit was renamed. Several of one text are renamed in their order;
 * if some of them are gone for good, which ones is told by nothing unless all have one translation.
 */
const renamed = (
  sources: ReadonlyMap<string, string>,
  targets: ReadonlyMap<string, string>,
  translationOf: (key: string) => string | undefined
): ReadonlyMap<string, string> => {
  const gone = new Map<string, Array<string>>()
  for (const [key, hash] of targets) if (!sources.has(key)) push(gone, hash, key)
  const added = new Map<string, Array<string>>()
  for (const [key, hash] of sources) if (!targets.has(key)) push(added, hash, key)
  const found = new Map<string, string>()
  for (const [hash, keys] of added) {
    const origins = gone.get(hash) ?? []
    const isClear = origins.length === keys.length || new Set(origins.map(translationOf)).size === 1
    if (isClear)
      for (const [index, origin] of origins.slice(0, keys.length).entries()) found.set(keys[index]!, origin)
  }
  return found
}

/** The units of a bilingual output, whose sources stand beside them: by key and source, by source, by key. */
const originsOfBilingual = (
  sources: ReadonlyMap<string, string>,
  targets: ReadonlyMap<string, string>
): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>()
  const free = new Set(targets.keys())
  const take = (key: string, origin: string) => {
    origins.set(key, origin)
    free.delete(origin)
  }
  for (const [key, hash] of sources) if (targets.get(key) === hash) take(key, key)
  const moved = new Map<string, Array<string>>()
  for (const key of free) push(moved, targets.get(key)!, key)
  for (const [key, hash] of sources) {
    const origin = origins.has(key) ? undefined : moved.get(hash)?.shift()
    if (origin !== undefined) take(key, origin)
  }
  for (const key of sources.keys()) if (!origins.has(key) && free.has(key)) take(key, key)
  return origins
}

const hashesOf = (units: ReadonlyMap<string, Unit>): ReadonlyMap<string, string> =>
  new Map(Array.from(units, ([key, { text }]) => [key, hashOf(text)]))

export const make = ({ format, isMerged, record, source, target }: Matched): Matching => {
  const sources = unitsOf(source)
  const isOwnTarget = target.length === 0 && format.isBilingual
  const targets = isOwnTarget ? sources : presentIn(target)
  const textOf = (unit: Unit | undefined) => (format.isBilingual ? unit?.translation : unit?.text)
  const isPlace = placeTeller(format)
  const ofTarget = placed(
    Array.from(targets, ([key, unit]) => [key, textOf(unit)] as const),
    isPlace
  )
  const ofSource = placed(
    Array.from(sources, ([key, { text }]) => [key, text] as const),
    isPlace
  )
  const ofPlaces = entriesOfPlaces(ofTarget, ofSource, record)
  const entry = (key: string): Entry | undefined =>
    isPlace(key) ? ofPlaces.get(key) : entryOf(record, key, hashOf(textOf(targets.get(key)) ?? ""))
  const origins = new Map<string, string>()
  const addAll = (found: ReadonlyMap<string, string>) => {
    for (const [key, origin] of found) origins.set(key, origin)
  }
  if (!isOwnTarget && format.isBilingual && !isMerged) {
    addAll(originsOfBilingual(hashesOf(sources), hashesOf(targets)))
  } else {
    const named = Array.from(sources.keys()).filter((key) => isMerged || isOwnTarget || !isPlace(key))
    for (const key of named) if (targets.has(key)) origins.set(key, key)
    if (!isOwnTarget) {
      const names = (all: ReadonlyMap<string, string>) => new Map([...all].filter(([key]) => !isPlace(key)))
      // A bilingual output has its sources beside its texts.
      const before = format.isBilingual
        ? hashesOf(targets)
        : new Map(Array.from(targets.keys(), (key) => [key, entry(key)?.source ?? ""]))
      addAll(renamed(names(hashesOf(sources)), names(before), (key) => textOf(targets.get(key))))
    }
    if (!isMerged && !isOwnTarget) addAll(originsOfPlaces(ofTarget, ofSource, ofPlaces))
  }
  const matched = new Set(origins.values())
  return {
    sources,
    targets,
    isOwnTarget,
    originOf: (key) => origins.get(key),
    entryOf: entry,
    textOf,
    removed: Array.from(targets.keys()).filter((key) => !matched.has(key))
  }
}
