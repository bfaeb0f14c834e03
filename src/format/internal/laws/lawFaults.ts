/** The faults by which a law is broken, the first one first. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Format from "../../Format.js"
import type { Sample } from "./sampleFiles.js"
import * as files from "./sampleFiles.js"

export interface Fault {
  readonly key?: string | undefined
  readonly line?: number | undefined
  readonly offset?: number | undefined
  readonly message: string
}

export type Faults = (
  format: Format.Format,
  sample: Sample
) => Effect.Effect<ReadonlyArray<Fault>, Format.FormatError>

const at = ({ key, line }: Format.Unit, message: string): Fault => ({ key, line, message })

const differentBytes = (one: Uint8Array, other: Uint8Array, message: string): ReadonlyArray<Fault> => {
  const offset = one.findIndex((byte, index) => byte !== other[index])
  return offset < 0 && one.length === other.length
    ? []
    : [{ offset: offset < 0 ? one.length : offset, message }]
}

/** The part of a unit that two readings share. */
const identityOf = ({ key, line, maxCharacters, state, text, translation }: Format.Unit) =>
  JSON.stringify([key, text, line, state, translation, maxCharacters])

const differentUnits = (
  whole: ReadonlyArray<Format.Unit>,
  cut: ReadonlyArray<Format.Unit>
): ReadonlyArray<Fault> => {
  const isOther = (unit: Format.Unit, index: number) =>
    cut[index] === undefined || identityOf(unit) !== identityOf(cut[index])
  return [...whole.filter(isOther), ...cut.slice(whole.length)].map((unit) =>
    at(unit, "the unit is another one if the bytes arrive in pieces.")
  )
}

const repeated = (units: ReadonlyArray<Format.Unit>): ReadonlyArray<Fault> => {
  const first = files.byKey([...units].reverse())
  return units
    .filter((unit) => first.get(unit.key) !== unit)
    .map((unit) => at(unit, "another unit has the same key."))
}

const rewritten = (part: Format.Part): ReadonlyArray<Fault> => {
  const [unit] = part.units
  const same = Format.write(
    part,
    part.units.map(() => undefined)
  )
  return unit === undefined || (Either.isRight(same) && same.right.raw === part.raw)
    ? []
    : [at(unit, "its part is written in another way, though no unit is translated.")]
}

export const identity: Faults = (format, sample) =>
  Effect.gen(function* () {
    const { document } = sample
    const [whole, cut] = [
      yield* files.decodeSource(format, sample),
      yield* files.decodeSource(format, sample, sample.cuts)
    ]
    const message = "the parts are not the bytes of the file."
    return [
      ...differentBytes(document, files.bytesOf(whole), message),
      ...differentBytes(document, files.bytesOf(cut), message),
      ...differentUnits(files.unitsOf(whole), files.unitsOf(cut)),
      ...repeated(files.unitsOf(whole)),
      ...whole.flatMap(rewritten)
    ]
  })

const hasPlace = ({ choice, column, key, line }: Format.FormatError): boolean =>
  choice !== undefined || column !== undefined || key !== undefined || line !== undefined

export const refusal: Faults = (format, sample) =>
  Effect.gen(function* () {
    const [whole, cut] = [
      yield* Effect.either(files.decodeSource(format, sample)),
      yield* Effect.either(files.decodeSource(format, sample, sample.cuts))
    ].map((result) => (Either.isLeft(result) ? result.left : undefined))
    const line = (whole ?? cut)?.line
    if (whole?.message !== cut?.message) {
      return [{ line, message: "the refusal is another one if the bytes arrive in pieces." }]
    }
    if (whole === undefined) return []
    if (whole.file !== files.file || !whole.message.includes(files.file)) {
      return [{ line, message: "the refusal does not name the file: make it by Format.formatError." }]
    }
    return hasPlace(whole)
      ? []
      : [{ message: "the refusal names no place in the file: give its problem a line, a column or a key." }]
  })

export const memory: Faults = (format, sample) =>
  Effect.suspend(() => {
    const { readAhead = 65_536 } = sample
    let held = 0
    let most = 0
    const pieces = files.arriving(sample.document, sample.cuts).pipe(
      Stream.tap((piece) =>
        Effect.sync(() => {
          most = Math.max(most, held)
          held += piece.length
        })
      )
    )
    return pieces.pipe(
      format.decode({ ...files.languagesOf(sample), maxBytes: 1 }),
      Stream.rechunk(1),
      Stream.runForEach((part) =>
        Effect.sync(() => {
          held -= files.bytesOf([part]).length
        })
      ),
      // A file that is larger than `maxBytes` may be refused.
      Effect.ignore,
      Effect.map(() =>
        most > readAhead
          ? [{ message: `${most} bytes are held that were read, where ${readAhead} are allowed.` }]
          : []
      )
    )
  })

/** Units that do not hold the same text in the target language any more. */
const changed = (
  format: Format.Format,
  before: ReadonlyArray<Format.Unit>,
  after: ReadonlyArray<Format.Unit>,
  message: string
): ReadonlyArray<Fault> => {
  const held = files.byKey(after)
  return before
    .filter((unit) => files.heldBy(format, held.get(unit.key)) !== files.heldBy(format, unit))
    .map((unit) => at(unit, message))
}

/** Lines may be broken anew. */
const folded = (text: string): string => text.replace(/\s+/g, " ").trim()

export const update: Faults = (format, sample) =>
  Effect.gen(function* () {
    const source = yield* files.decodeSource(format, sample)
    const keys = files.unitsOf(source).map(({ key }) => key)
    const rewritten = (parts: ReadonlyArray<Format.Part>, translate: files.Translate) =>
      Effect.flatMap(files.written(format, parts, translate), (written) =>
        files.decodeTarget(format, sample, files.bytesOf(written), keys)
      )
    const { translate = files.marked } = sample
    const target = yield* rewritten(source, translate)
    const person = files.unitsOf(target)
    const held = files.byKey(person)
    const textOf = (unit: Format.Unit | undefined) => files.heldBy(format, unit)
    const again = yield* rewritten(source, ({ key }) => textOf(held.get(key)))
    const found = [
      ...files
        .unitsOf(source)
        .filter(({ key }) => textOf(held.get(key)) === undefined)
        .map((unit) => at(unit, "the text that a person has written for it is not found.")),
      ...files
        .unitsOf(source)
        .filter((unit) => folded(textOf(held.get(unit.key)) ?? "") !== folded(translate(unit)))
        .map((unit) => at(unit, "the text that a person has written for it is read as another one.")),
      ...changed(format, person, files.unitsOf(again), "it has changed when it was written again.")
    ]
    if (format.merge === undefined) return found
    const isAnew = ({ key }: Format.Unit) => keys.indexOf(key) % 2 === 0
    const anew = yield* rewritten(target, (unit) =>
      isAnew(unit) ? files.marked({ text: textOf(unit) ?? unit.text }) : undefined
    )
    const others = person.filter((unit) => !isAnew(unit))
    return [
      ...found,
      ...changed(format, others, files.unitsOf(anew), "it has changed, though only others were translated.")
    ]
  })

/** The units of a merged file, as they were kept or dropped. */
interface Merged {
  readonly removed: files.Removed
  readonly units: ReadonlyArray<Format.Unit>
  /** True if kept units of the target alone are no units any more: obsolete entries. */
  readonly hasObsolete: boolean
}

/** Units at wrong places, or with wrong texts. */
const misplaced = (
  format: Format.Format,
  { source, target }: files.Merging,
  { hasObsolete, removed, units }: Merged
): ReadonlyArray<Fault> => {
  const [inSource, inTarget, inMerged] = [files.byKey(source), files.byKey(target), files.byKey(units)]
  const heldBy = (unit: Format.Unit | undefined) => files.heldBy(format, unit)
  const isNew = ({ isOfOtherForm, key }: Format.Unit) => !inTarget.has(key) && isOfOtherForm !== true
  const isStranger = ({ key }: Format.Unit) =>
    !inSource.has(key) && (removed === "drop" || !inTarget.has(key))
  const stays = ({ isOfOtherForm, key }: Format.Unit) =>
    isOfOtherForm !== true &&
    (inSource.has(key) || (removed === "keep" && (!hasObsolete || inMerged.has(key))))
  return [
    ...source.filter(({ key }) => !inMerged.has(key)).map((unit) => at(unit, "the merged file lacks it.")),
    ...units.filter(isStranger).map((unit) => at(unit, "it is in the merged file, and should not be.")),
    ...target
      .filter((unit) => stays(unit) && heldBy(inMerged.get(unit.key)) !== heldBy(unit))
      .map((unit) => at(unit, "the merged file has not the text of the target.")),
    ...source
      .filter((unit) => isNew(unit) && inMerged.get(unit.key)?.text !== unit.text)
      .map((unit) => at(unit, "the merged file has not the text of the source."))
  ]
}

/** Where all units of the target are in the order of the source, those of the merged file are. */
const disordered = ({ source, target }: files.Merging, { units }: Merged): ReadonlyArray<Fault> => {
  const places = new Map(source.map(({ key }, index) => [key, index]))
  const unordered = (units: ReadonlyArray<Format.Unit>) =>
    units.filter(
      ({ key }, index) => index > 0 && !(places.get(units[index - 1]!.key)! < (places.get(key) ?? -1))
    )
  return unordered(target).length > 0
    ? []
    : unordered(units.filter(({ key }) => places.has(key))).map((unit) =>
        at(unit, "it is not where it is in the source.")
      )
}

export const merge: Faults = (format, sample) =>
  Effect.gen(function* () {
    const merging = yield* files.merging(format, sample)
    if (merging === undefined) return []
    const [kept, dropped] = [yield* merging.merge("keep"), yield* merging.merge("drop")]
    const hasObsolete = format.isBilingual && kept.length > dropped.length
    const all: ReadonlyArray<Merged> = [
      { removed: "keep", units: yield* merging.unitsIn(kept), hasObsolete },
      { removed: "drop", units: yield* merging.unitsIn(dropped), hasObsolete }
    ]
    return all.flatMap((merged) => [...misplaced(format, merging, merged), ...disordered(merging, merged)])
  })

export const mergeTwice: Faults = (format, sample) =>
  Effect.gen(function* () {
    const merging = yield* files.merging(format, sample)
    if (merging === undefined) return []
    const once = [yield* merging.merge("keep"), yield* merging.merge("drop")] as const
    const twice = [yield* merging.merge("keep", once[0]), yield* merging.merge("drop", once[1])]
    return once.flatMap((text, index) =>
      text === twice[index] ? [] : [{ message: "the merged file changes if it is merged again." }]
    )
  })

/** Each second unit that both files have. */
const everySecond = ({ source, target }: files.Merging): ReadonlySet<string> => {
  const inTarget = files.byKey(target)
  return new Set(source.map(({ key }) => key).filter((key, index) => index % 2 === 0 && inTarget.has(key)))
}

export const emptied: Faults = (format, sample) =>
  Effect.gen(function* () {
    const merging = yield* files.merging(format, sample)
    if (merging === undefined) return []
    const chosen = everySecond(merging)
    const isChosen = ({ key }: Format.Unit) => chosen.has(key)
    const [source, target] = [
      yield* merging.emptied("source", isChosen),
      yield* merging.emptied("target", isChosen)
    ]
    const unitsOf = (removed: files.Removed, into: string | undefined, from: string | undefined) =>
      Effect.map(Effect.flatMap(merging.merge(removed, into, from), merging.unitsIn), files.byKey)
    const [kept, without, filled] = [
      yield* unitsOf("drop", undefined, source),
      yield* unitsOf("keep", target, source),
      yield* unitsOf("keep", target, undefined)
    ]
    const inSource = files.byKey(merging.source)
    const textIn = (units: ReadonlyMap<string, Format.Unit>, { key }: Format.Unit) =>
      units.get(key)?.text ?? ""
    // A blank is none if another form has a text for it.
    const left = files.byKey(yield* merging.unitsIn(source))
    const units = merging.target.filter((unit) => isChosen(unit) && textIn(left, unit) === "")
    return [
      ...units
        .filter((unit) => textIn(kept, unit) !== unit.text)
        .map((unit) =>
          at(unit, "the source has no text for it any more, and the merged file has lost that of the target.")
        ),
      ...units
        .filter((unit) => textIn(without, unit) !== "")
        .map((unit) => at(unit, "it is blank in both files, and not in the merged one.")),
      ...units
        .filter((unit) => textIn(filled, unit) !== textIn(inSource, unit))
        .map((unit) =>
          at(unit, "it is blank in the target, and the merged file has not the text of the source.")
        )
    ]
  })
