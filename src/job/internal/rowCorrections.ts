/** A person's corrections in an output of rows, which are found by comparing it with its source and the store. */
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Part, Rows } from "../../format/Format.js"
import { shortDigits, shortHash } from "../../internal/hash.js"
import type { Correction, Service } from "../../store/TranslationStore.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import { OutputAltered } from "../FileSourceError.js"
import type { StaleUnit } from "./contract.js"
import * as diskLists from "./diskLists.js"
import type * as keptTexts from "./keptTexts.js"
import * as rowCells from "./rowCells.js"

/** A source and its output. */
export interface Given<E, R> {
  readonly rows: Rows
  /** True if the output has the texts of the source beside their translations. */
  readonly isBilingual: boolean
  /** Parts with an `id`: see `identity` of the decoding of formats. */
  readonly source: Stream.Stream<Part, E, R>
  readonly output: Stream.Stream<Part, E, R>
  /** The names of both. */
  readonly sourceName: string
  readonly outputName: string
  readonly store: Service
  readonly languages: Pick<TranslateStream.Options, "sourceLang" | "targetLang">
  /** True if the source is as it was when the output was written. */
  readonly isSourceUnchanged: boolean
  /** True if the output is as it was written: nothing in it is new. */
  readonly isAsWritten: boolean
  /** The texts that were in the output alone when it was written. */
  readonly onlyHere: ReadonlyArray<string>
  /** False for a forecast. */
  readonly isStoring: boolean
}

/** The texts of a person in an output. */
export interface Found {
  readonly kept: keptTexts.Kept
  readonly stale: ReadonlyArray<StaleUnit>
  /** Those of rows that the source has no more. */
  readonly deleted: ReadonlyArray<StaleUnit>
  /** The number of corrections that were read. */
  readonly corrections: number
  /** The texts that are in the output alone, and in no store: see `mark`. */
  readonly onlyHere: ReadonlyArray<string>
}

/** A text of the source, or none, and the text of the output in its place. */
interface Pair extends keptTexts.KeptText {
  readonly at: string
  readonly source: string
  /** The source's text beside the translation in the output. */
  readonly before: string | undefined
  /** True if the row is not in the source any more. */
  readonly isGone: boolean
  /** True if the store knows the source. */
  readonly isKnown: boolean
}

/** The texts whose authors are asked for at once: all translations of the store are read for that. */
const askedAtOnce = 10_000

const hashOf = (text: string): string => shortHash(text.trim())

/** Marks a person's text of a source, by the hashes of both. */
const mark = (source: string, text: string): string => hashOf(source) + hashOf(text)

/**
 * Tells a text that was written since another one for the same source was kept: a person has looked at it, and it is the translation of
 * the present source.
 */
const newer = (onlyHere: ReadonlyArray<string>) => {
  const known = new Set(onlyHere)
  const sources = new Set(onlyHere.map((one) => one.slice(0, shortDigits)))
  return sources.size === 0
    ? () => false
    : (source: string, text: string) => sources.has(hashOf(source)) && !known.has(mark(source, text))
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const isSame = (one: string, other: string): boolean => one.trim() === other.trim()

/** A text by which places sort. */
const byPlace = (part: number, unit: number): string =>
  `${String(part).padStart(12, "0")}:${String(unit).padStart(9, "0")}`

const pairOf = (source: rowCells.Cell | undefined, output: rowCells.Cell): Pair | undefined => {
  const { part, unit } = source ?? output
  const { at, source: before, text = "" } = output
  const own = source?.source ?? before ?? ""
  // A blank text, or one that is the source's, was not translated. The source may have a translation of its own.
  if (text.trim() === "" || isSame(text, own) || (source?.text !== undefined && isSame(text, source.text)))
    return undefined
  const isGone = source === undefined
  return {
    by: byPlace(part, unit),
    part,
    unit,
    at: source?.at ?? at,
    source: own,
    text,
    before,
    isGone,
    isKnown: false
  }
}

/** The pairs of both files: by their identities, and what has none by its place. */
const pairsOf = <E, R>(given: Given<E, R>, lists: diskLists.DiskLists) =>
  Effect.gen(function* () {
    const { isBilingual, output, outputName, rows, source, sourceName } = given
    const matching = rowCells.matchingOf(rows, isBilingual)
    const read = (parts: Stream.Stream<Part, E, R>, cells: rowCells.Cells, name: string) =>
      Effect.gen(function* () {
        const list = lists.make<rowCells.Cell>(true)
        yield* Stream.runForEachChunk(parts, (chunk) => {
          const found: Array<rowCells.Cell> = []
          for (const part of chunk) cells.add(part, (cell) => found.push(cell))
          return list.add(found)
        })
        const sorted = yield* list.end
        return matching === "key" ? rowCells.unique(name, rows.key)(sorted) : sorted
      })
    const cellsOfSource = rowCells.make(matching, true, true)
    const cellsOfOutput = rowCells.make(matching, isBilingual, true)
    const ofSource = yield* read(source, cellsOfSource, sourceName)
    const ofOutput = yield* read(output, cellsOfOutput, outputName)
    const isOfSameRows = cellsOfSource.rows() === cellsOfOutput.rows()
    const moved = new OutputAltered({ output: outputName, meanwhile: false, why: "places" })
    if (matching === "place" && !isOfSameRows) return yield* moved

    const pairs = lists.make<Pair>(true)
    const unmatched = { source: lists.make<rowCells.Cell>(true), output: lists.make<rowCells.Cell>(true) }
    const atPlace = (cell: rowCells.Cell) => ({ ...cell, by: `${cell.at}\n${cell.row}` })
    yield* Stream.runForEachChunk(rowCells.joined(ofSource, ofOutput), (chunk) =>
      Effect.gen(function* () {
        const found = Chunk.toReadonlyArray(chunk)
        if (
          matching === "place" &&
          found.some(({ output, source }) => output && source && output.row !== source.row)
        ) {
          return yield* moved
        }
        const both = found.flatMap(({ output, source }) => (output && source && pairOf(source, output)) ?? [])
        yield* pairs.add(both)
        yield* unmatched.source.add(
          found.flatMap(({ output, source }) => (source && !output ? [atPlace(source)] : []))
        )
        yield* unmatched.output.add(
          found.flatMap(({ output, source }) => (output && !source ? [atPlace(output)] : []))
        )
      })
    )
    const byPlace = matching === "text" && isOfSameRows ? yield* unmatched.source.end : Stream.empty
    yield* Stream.runForEachChunk(rowCells.joined(byPlace, yield* unmatched.output.end), (chunk) =>
      pairs.add(
        Chunk.toReadonlyArray(chunk).flatMap(({ output, source }) => (output && pairOf(source, output)) ?? [])
      )
    )
    return yield* pairs.end
  })

/** Pairs that are not the machine's translation of their source, with any options. */
const suspectsOf = <E, R>(
  { languages, rows, store }: Given<E, R>,
  pairs: Stream.Stream<Pair, diskLists.DiskError>,
  onKnown: () => void
) =>
  Stream.mapChunksEffect(pairs, (chunk) =>
    Effect.gen(function* () {
      const all = Chunk.toReadonlyArray(chunk)
      const sources = all.map(({ source }) => source)
      const known = yield* store.translationsOf(sources, languages.targetLang)
      const corrected = yield* store.corrected(sources, languages)
      return Chunk.fromIterable(
        all.flatMap((pair, index): ReadonlyArray<Pair> => {
          const { text } = pair
          const translations = known[index]!
          const correction = corrected[index]
          const isKnown = translations.length > 0 || correction !== undefined
          if (isKnown) onKnown()
          const isMachines =
            translations.some((one) => isSame(one, text)) ||
            (rows.isOneLine === true && translations.some((one) => oneLine(one) === oneLine(text)))
          return isMachines || (correction !== undefined && isSame(correction, text))
            ? []
            : [{ ...pair, isKnown }]
        })
      )
    })
  )

/** A text that a person has written, with `true` if it is the translation of the present source. */
interface Persons extends Pair {
  readonly isCurrent: boolean
}

/** The texts of a person among suspects. */
const personsOf = <E, R>(
  { isAsWritten, isBilingual, isSourceUnchanged, languages, onlyHere, outputName, rows, store }: Given<E, R>,
  suspects: Stream.Stream<Pair, diskLists.DiskError>,
  onKnown: () => void
) => {
  const isNewer = newer(onlyHere)
  const marks = new Set(onlyHere)
  const isByPlace = rowCells.matchingOf(rows, isBilingual) === "place"
  return suspects.pipe(
    Stream.rechunk(askedAtOnce),
    Stream.mapChunksEffect((chunk) =>
      Effect.gen(function* () {
        const all = Chunk.toReadonlyArray(chunk)
        const asked = all.map(({ before, source, text }) => ({ source: before ?? source, translation: text }))
        const origins = yield* store.origins(asked, languages.targetLang)
        const persons: Array<Persons> = []
        for (const [index, pair] of all.entries()) {
          const { before, isGone, isKnown, source, text } = pair
          const isOfSource = before === undefined ? isSourceUnchanged : isSame(before, source)
          if (origins[index] === undefined || (origins[index] === "other" && isOfSource)) {
            const mayBeCurrent = !isGone && (before === undefined || isOfSource)
            // An output that holds an older translation has the present source beside it since it was written.
            const isCurrent = mayBeCurrent && (isSourceUnchanged || isKnown || isNewer(source, text))
            // A text that was written as a correction of the store has the one of the store now.
            const isOfStore = isAsWritten && isCurrent && !marks.has(mark(source, text))
            if (!isOfStore) persons.push({ ...pair, isCurrent })
            continue
          }
          onKnown()
          // A known source beside the translation of another one: rows have moved.
          if (isByPlace && isKnown && !isGone) {
            return yield* new OutputAltered({ output: outputName, meanwhile: false, why: "places" })
          }
        }
        return Chunk.unsafeFromArray(persons)
      })
    )
  )
}

/** Stores the corrections among a person's texts, and tells of the others. */
const tell = <E, R>(
  { isAsWritten, isStoring, languages: { sourceLang, targetLang }, store }: Given<E, R>,
  persons: Stream.Stream<Persons, diskLists.DiskError>
) =>
  Effect.gen(function* () {
    let corrections = 0
    const onlyHere: Array<string> = []
    const [stale, deleted]: [Array<StaleUnit>, Array<StaleUnit>] = [[], []]
    /** The corrections by their sources: a source has one in the store. */
    const stored = new Map<string, string>()
    const at = yield* DateTime.now
    yield* Stream.runForEachChunk(persons, (chunk) =>
      Effect.suspend(() => {
        const added: Array<Correction> = []
        /** True if the store will have this correction. */
        const add = (source: string, translation: string): boolean => {
          const known = stored.get(source.trim())
          if (known !== undefined) return isSame(known, translation)
          if (isAsWritten) return false
          stored.set(source.trim(), translation)
          added.push({ source, translation, sourceLang, targetLang, at })
          return true
        }
        for (const { at, before, isCurrent, isGone, source, text } of chunk) {
          const isStored = (isCurrent || before !== undefined) && add(before ?? source, text)
          if (!isGone && !(isCurrent && isStored)) onlyHere.push(mark(source, text))
          if (isCurrent && !isAsWritten) corrections++
          if (isGone) deleted.push({ key: at, text: before ?? "", translation: text })
          else if (!isCurrent) stale.push({ key: at, text: source, translation: text })
        }
        return isStoring && added.length > 0 ? store.correct(added) : Effect.void
      })
    )
    return { stale, deleted, corrections, onlyHere }
  })

/** Finds a person's texts in an output, and stores those that are corrections. */
export const find = <E, R>(given: Given<E, R>) =>
  Effect.gen(function* () {
    const lists = yield* diskLists.make()
    let isKnown = false
    const onKnown = () => {
      isKnown = true
    }
    const collected = <A extends diskLists.Item, E, R>(items: Stream.Stream<A, E, R>) => {
      const list = lists.make<A>(false)
      return Effect.zipRight(
        Stream.runForEachChunk(items, (chunk) => list.add(Chunk.toReadonlyArray(chunk))),
        list.end
      )
    }
    const suspects = yield* collected(suspectsOf(given, yield* pairsOf(given, lists), onKnown))
    const persons = yield* collected(personsOf(given, suspects, onKnown))
    if (!isKnown && (yield* Stream.runHead(persons))._tag === "Some") {
      return yield* new OutputAltered({ output: given.outputName, meanwhile: false, why: "store" })
    }
    return {
      kept: Stream.filter(persons, ({ isGone }) => !isGone),
      ...(yield* tell(given, persons))
    } satisfies Found
  })
