/** Tells sources from translations among the files that were found. */
import { existsSync } from "node:fs"
import { dirname, extname, resolve } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as Address from "../../storage/Address.js"
import { type Usage, usage } from "../failure.js"
import type { Findings, Found } from "../findFiles.js"
import * as leftOuts from "./leftOut.js"

export interface Options {
  /** The names and patterns of the command line. */
  readonly files: ReadonlyArray<string>
  readonly from: string | undefined
  readonly targets: ReadonlyArray<string>
  readonly outputOf: (source: Found) => (targetLang: string) => string
  /** Outputs that records name. */
  readonly records: ReadonlyArray<Recorded>
}

export interface Recorded {
  /** The address or absolute path. */
  readonly path: string
  readonly targetLang: string
}

const keyOf = (path: string): string => (Address.isAddress(path) ? path : resolve(path))

/** Files that may follow the same habit of naming. */
const kindOf = (path: string): string => `${dirname(path)} ${extname(path)}`

const isSame = (language: string) => (other: string) =>
  LanguageCode.base(language) === LanguageCode.base(other)

/** Why a file is no source; `undefined` of a source. */
const judge = (all: ReadonlyArray<Found>, { from, outputOf, records, targets }: Options) => {
  const recorded = Arr.groupBy(records, ({ path }) => path)
  const languages = new Set([...targets, ...records.map(({ targetLang }) => targetLang)])
  const placed = all.map((found) => ({ found, place: OutputPath.placeOf(found.path, from) }))
  const plain = new Set(placed.flatMap(({ found: { path }, place }) => (place ? [] : [kindOf(path)])))
  /** Without --from, a language in a name may be the source's, unless names beside it do without. */
  const mayBeSource = ({ found: { path }, place }: (typeof placed)[number]): boolean =>
    place === undefined ||
    (from === undefined
      ? !targets.includes(place.language) && !(OutputPath.endsInLanguage(place) && plain.has(kindOf(path)))
      : isSame(from)(place.language))
  const there = new Set(all.map(({ path }) => keyOf(path)))
  const patterns = new Set<string>()
  const outputs = new Set<string>()
  for (const each of placed) {
    if (!each.found.isNamed && !mayBeSource(each)) continue
    const { path } = each.found
    if (each.place !== undefined && mayBeSource(each)) patterns.add(each.place.pattern)
    for (const language of languages) {
      const output = outputOf(each.found)(language)
      if (output !== path) outputs.add(keyOf(output))
    }
  }
  const isThere = (path: string) => there.has(keyOf(path)) || (!Address.isAddress(path) && existsSync(path))
  const reasonOf = (each: (typeof placed)[number]): leftOuts.Reason | undefined => {
    const { found, place } = each
    const key = keyOf(found.path)
    const isOutput = outputs.has(key)
    const hasSource = (): boolean =>
      isOutput ||
      (place !== undefined &&
        ((!mayBeSource(each) && patterns.has(place.pattern)) ||
          OutputPath.sourcesOf(place, from).some((path) => path !== found.path && isThere(path))))
    // A file that holds all of its languages is its own output.
    const isOwn = ({ targetLang }: Recorded): boolean =>
      (place === undefined || from !== undefined) &&
      mayBeSource(each) &&
      outputOf(found)(targetLang) === found.path
    const made = (recorded[key] ?? []).filter((record) => !isOwn(record))
    if (found.isNamed) {
      const isMeant =
        made.length === 0 ||
        (from !== undefined && made.map(({ targetLang }) => targetLang).some(isSame(from)))
      if (isOutput) return "output"
      return isMeant ? undefined : hasSource() ? "output" : "orphan"
    }
    if (made.length > 0) return hasSource() ? "translation" : "orphan"
    if (isOutput) return "translation"
    if (mayBeSource(each) && !(from === undefined && hasSource())) return undefined
    return hasSource() ? "translation" : "language"
  }
  return placed.map((each) => ({ found: each.found, reason: reasonOf(each) }))
}

/**
 * The sources. An output is what a record names, or whose source is there; a name that ends in a language, without either, is no source
 * unless it was named itself.
 */
export const make = ({ found, leftOut }: Findings, options: Options): Effect.Effect<Findings, Usage> => {
  const judged = judge(found, options)
  const sources = judged.flatMap(({ found, reason }) => (reason === undefined ? [found] : []))
  const passed = [
    ...leftOut,
    ...judged.flatMap(({ found: { path }, reason }) => (reason === undefined ? [] : [{ path, reason }]))
  ]
  if (sources.length > 0) return Effect.succeed({ found: sources, leftOut: passed })
  const asked = options.files
    .filter((file) => !file.startsWith("!"))
    .map(Address.shown)
    .join(" ")
  const line = leftOuts.line(passed)
  return usage(
    line === undefined
      ? `${asked} holds translations only: name their source.`
      : `Nothing of ${asked} is a source: name one, or say its language with --from. ${line}`
  )
}
