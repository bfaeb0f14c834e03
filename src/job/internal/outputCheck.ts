/** The faults of outputs that exist: by their state, and by checks of their texts. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ColumnarFormat, isColumnar } from "../../format/Columnar.js"
import * as Format from "../../format/Format.js"
import * as Address from "../../storage/Address.js"
import { isStoreError, type StoreError } from "../../store/StoreError.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as acceptance from "./acceptance.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as columnarFile from "./columnarFile.js"
import * as columnarReading from "./columnarReading.js"
import * as fileReading from "./fileReading.js"
import * as findings from "./findings.js"
import * as orphanedOutputs from "./orphanedOutputs.js"
import type * as outputs from "./outputFiles.js"
import * as outputInspection from "./outputInspection.js"
import type * as OutputCheck from "./outputProblem.js"
import { decodeOptions, hashOfOptions } from "./partOptions.js"
import type { Made } from "./recordFiles.js"
import * as unitProblems from "./unitProblems.js"
import * as unitStatus from "./unitStatus.js"
import { missingChoices } from "./unmatched.js"

/** A file, and how it is read and checked. */
interface Source extends outputInspection.Source {
  readonly options: OutputCheck.Options
  readonly digest: Effect.Effect<string, fileReading.FileError, FileSystem.FileSystem>
  /** The selections of files, as far as they were read. */
  readonly selections: Array<readonly [Place, Format.Selection]>
}

/** A file, and its output in a language. */
interface Place extends Source, unitProblems.Place {
  readonly options: OutputCheck.Options
  /** The keys of the texts of rows that have failed. */
  readonly failed: ReadonlySet<string>
}

type Problems<E = fileReading.FileError | StoreError, R = FileSystem.FileSystem> = Stream.Stream<
  OutputCheck.Problem,
  E,
  R
>

const translationOf = (place: Place) => outputInspection.translationInto(place, place.target)

const placeOf = (
  source: Source,
  { found, target }: Pick<outputInspection.Place, "found" | "target">
): Place => {
  const { options, terms } = source.options
  const { lang } = target
  const given = canonicalTarget.optionsFor(target, options)
  const reading = { format: source.format, options: { ...given, glossaryTerms: terms?.(lang) } }
  const judge = findings.judging(findings.pairing(reading), source.options)
  const filter = acceptance.filter(found.output.state?.accepted, lang)
  const failed = found.output.state?.failed?.filter(({ targetLang }) => targetLang === lang) ?? []
  return { ...source, found, target, judge, filter, failed: new Set(failed.map(({ key }) => key)) }
}

/** The terms of the glossary, if the caller knows them. */
const glossaryOf = (
  { options: { options = {}, terms } }: Source,
  target: Place["target"]
): Pick<TranslateStream.Options, "glossaryTerms"> | undefined => {
  const { glossaryId, glossaryIds } = canonicalTarget.optionsFor(target, options)
  return terms === undefined || glossaryId !== undefined || glossaryIds !== undefined
    ? undefined
    : { glossaryTerms: terms(target.lang) }
}

/** The current options and terms of an output's translation; no `terms` if they are not known. */
type Current = Pick<Made, "options" | "terms">

const hashesIn = (source: Source, target: Place["target"]): Current => {
  const glossary = glossaryOf(source, target)
  return {
    options: hashOfOptions(outputInspection.translationInto(source, target)),
    terms: glossary && (StreamOptions.hashOfTerms(glossary) ?? "")
  }
}

/** Both files are read whole. */
const ofUpdated = (place: Place) =>
  Effect.gen(function* () {
    const glossary = glossaryOf(place, place.target)
    const { isThere, known, textless } = yield* outputInspection.read(
      place,
      glossary && StreamOptions.termsOf(glossary)
    )
    const { matching, source: ofSource, target: ofTarget } = known
    const inspected = unitStatus
      .inspect(known)
      .map((unit) =>
        isThere ? unit : { ...unit, status: "missing" as const, translation: undefined, line: undefined }
      )
    const partOf = outputInspection.partsOf(known)
    const orphans = new Set(isThere ? matching.removed : [])
    const unmatched = ofTarget
      .flatMap(({ units }) => units)
      .filter(({ key }) => textless.has(key) || orphans.has(key))
      .map(({ key, line }) =>
        unitProblems.problem(place, {
          kind: textless.has(key) ? ("stale" as const) : ("orphaned" as const),
          key,
          outputLine: line
        })
      )
    const { selection } = ofSource.find(({ selection }) => selection) ?? none
    const ofUnits = yield* unitProblems.find(
      place,
      inspected.map((one) => [one, partOf.get(one.unit.key)!])
    )
    return Chunk.fromIterable([...ofUnits, ...unmatched, ...ofNoTexts(place, selection)])
  })

/** A record of a source that can't be read. */
const ofUnread = (place: Place, { problem: error }: Format.Part): ReadonlyArray<OutputCheck.Problem> =>
  error === undefined
    ? []
    : [unitProblems.problem(place, { kind: "unreadable" as const, key: error.key, line: error.line, error })]

/** Values of a source that are no texts, though they were chosen as such. */
const ofNoTexts = (
  place: Place,
  selection: Format.Selection | undefined
): ReadonlyArray<OutputCheck.Problem> => {
  if (selection === undefined) return []
  place.selections.push([place, selection])
  const { keys, noTexts } = selection
  const wrong = (message: string, key?: string) =>
    unitProblems.problem(place, {
      kind: "unreadable" as const,
      key,
      error: Format.formatError(place.format.name, Address.shown(place.file.path), { key, message })
    })
  const more = noTexts - keys.length
  return [
    ...keys.map((key) => wrong("it is no text: make it one, or leave it out of what is translated.", key)),
    ...(more > 0 ? [wrong(`${more} more values are no texts.`)] : [])
  ]
}

/** The problems of paths and columns that were chosen and are in no file. */
const ofLacks = (selections: Source["selections"]): ReadonlyArray<OutputCheck.Problem> =>
  missingChoices(selections.map(([, selection]) => selection)).flatMap((choice) => {
    const [place] = selections.find(([, { lacks }]) => lacks.includes(choice.value!))!
    const message = `no file has ${choice.value}, but ${choice.known}: correct \`${choice.option}\`.`
    const error = Format.formatError(place.format.name, Address.shown(place.file.path), { choice, message })
    return [{ ...unitProblems.problem(place, { kind: "unreadable" as const, error }), targetLang: undefined }]
  })

const none: Format.Part = { raw: "", units: [] }

/** The units of a part of a source, and their translations in the same part of the output. */
const inspect = (
  { failed, format: { columnar, isBilingual } }: Place,
  source: Format.Part,
  output: Format.Part
): ReadonlyArray<unitStatus.Inspected> =>
  findings.pairsOf(isBilingual, source, output).map(({ target, translation, unit }) => ({
    unit,
    status:
      translation === undefined || translation === ""
        ? "missing"
        : translation === unit.text && failed.has(unit.key)
          ? "failed"
          : "current",
    translation,
    // A row is at its place, also where its value is null.
    line: target?.line ?? (columnar !== undefined && output !== none ? unit.line : undefined)
  }))

/** The faults of an output as a whole, by its state: no text has failed if that has its ingredients. */
const ofWhole = (place: Place, current: Current): Problems =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { format, found } = place
      const { state } = found.output
      const one = (kind: OutputCheck.Kind) =>
        Stream.make<[OutputCheck.Problem]>(unitProblems.problem(place, { kind }))
      // Of a format that does not tell its settings nothing is remembered.
      if (format.settings === undefined) return Stream.empty
      if (state === undefined) return one("unknown")
      if (state.made === undefined && state.onlyHere !== undefined) return one("stale")
      if (state.made === undefined) return state.failed === undefined ? one("failed") : Stream.empty
      const { options, source, terms = "" } = state.made
      const isStale = (yield* place.digest) !== source
      const hasOtherTerms = current.terms !== undefined && current.terms !== terms
      return Stream.concat(
        isStale ? one("stale") : Stream.empty,
        options !== current.options ? one("otherOptions") : hasOtherTerms ? one("otherTerms") : Stream.empty
      )
    })
  )

/** The faults of a source's texts where there is no translation. */
const ofMissing = <E, R>(place: Place, source: Stream.Stream<Format.Part, E, R>) =>
  ofParts(place, source, Stream.empty)

/** The faults of a source's texts, whose output has the same parts. */
const ofParts = <E, R, E2, R2>(
  place: Place,
  source: Stream.Stream<Format.Part, E, R>,
  target: Stream.Stream<Format.Part, E2, R2>
) =>
  Stream.zipAll(source, { other: target, defaultSelf: none, defaultOther: none }).pipe(
    Stream.mapChunksEffect((parts) =>
      Effect.map(
        unitProblems.find(
          place,
          Chunk.toReadonlyArray(parts).flatMap(([source, target]) =>
            inspect(place, source, target).map((one): unitProblems.Looked => [one, source])
          )
        ),
        (problems) =>
          Chunk.fromIterable([
            ...problems,
            ...Chunk.toReadonlyArray(parts).flatMap(([source]) => [
              ...ofUnread(place, source),
              ...ofNoTexts(place, source.selection)
            ])
          ])
      )
    )
  )

/** Both files are read piece by piece. The state covers the whole output. */
const ofStreamed = (place: Place): Problems => {
  const { file, format, found } = place
  const { existing, name, path, targetLang } = found.output
  const languages = decodeOptions(translationOf(place))
  const decode = format.decode(languages)
  const source = decode(fileReading.bytesOf(file.path))
  if (existing === undefined) return ofMissing(place, source)
  const own = format.isBilingual ? languages : { ...languages, sourceLang: targetLang }
  const target = format.decode({ ...own, file: name })(fileReading.bytesOf(path))
  const whole = ofWhole(place, hashesIn(place, place.target))
  // Records may have been left out: those behind them are at other places.
  const isCut = file.failed === "drop" && found.output.state?.made === undefined
  return isCut ? whole : Stream.concat(whole, ofParts(place, source, target))
}

/** Opens a file that is read at any place. Texts of rows that both have are of one row by their place. */
const openColumnar = (path: string, format: ColumnarFormat, isOneOfSeveral?: boolean) =>
  Effect.flatMap(columnarReading.open({ path }), (file) =>
    columnarReading.openFor({ format, options: { path } }, file, [], isOneOfSeveral)
  )

/** An output without a column for a language. */
const ofNoColumn = (place: Place, { known, value }: Format.Choice) => {
  const { name, targetLang } = place.found.output
  const message = `it has no column ${JSON.stringify(value)}, but ${known}: translate into ${targetLang}, or name new columns as they were named (outputColumn, --output-column).`
  return Stream.make<[OutputCheck.Problem]>(
    unitProblems.problem(place, {
      kind: "missing",
      error: Format.formatError(place.format.name, name, { message })
    })
  )
}

/** The faults of a language in an output with a column for each language, whose state covers all of them. */
const ofColumns = (
  place: Place,
  opened: ReturnType<typeof openColumnar>,
  format: ColumnarFormat,
  current: Current
): Problems =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const { existing, path, targetLang } = place.found.output
      const columnar = yield* opened
      const source = columnarReading.partsOf(columnar)
      place.selections.push([place, columnar.selection])
      if (existing === undefined) return ofMissing(place, source)
      const texts = yield* openColumnar(
        path,
        format.columnar.translated(targetLang, columnar.selection.found),
        false
      ).pipe(
        Effect.map((target) => ofParts(place, source, columnarReading.partsOf(target))),
        Effect.catchTag("FormatError", (error) =>
          error.choice === undefined ? error : Effect.succeed(ofNoColumn(place, error.choice))
        )
      )
      return Stream.concat(ofWhole(place, current), texts)
    })
  )

/** The outputs of a file that is read at any place: one may be of several languages. */
const ofColumnarFile = (source: Source, format: ColumnarFormat, given: outputs.Options) =>
  Effect.gen(function* () {
    const info = yield* fileReading.infoOf(source.file.path)
    const targets = source.options.targets.map(canonicalTarget.canonical)
    const groups = yield* columnarFile.find({ format, outputs: given }, targets, info)
    const scope = yield* Effect.scope
    const opened = yield* Effect.cached(Scope.extend(openColumnar(source.file.path, format), scope))
    return groups.flatMap(({ languages, output }) => {
      const own = languages.map((index) => targets[index]!)
      const hashes = own.map((target) => hashesIn(source, target))
      const together = (of: (one: Current) => string | undefined) =>
        columnarFile.hashOfAll(
          own.map(({ lang }) => lang),
          hashes.map(of)
        )
      const current = { options: together(({ options }) => options)!, terms: together(({ terms }) => terms) }
      return own.map((target) => {
        const found = { output: { ...output, targetLang: target.lang }, isSource: false, languages }
        return { found, problems: ofColumns(placeOf(source, { found, target }), opened, format, current) }
      })
    })
  })

/** The outputs of a file that is read from its beginning to its end. */
const ofFiles = (source: Source, given: outputs.Options) =>
  Effect.map(outputInspection.find(source, given, source.options.targets), (all) =>
    all.map((own) => {
      const place = placeOf(source, own)
      const problems =
        source.format.isStreamed === true
          ? ofStreamed(place)
          : Stream.unwrap(Effect.map(ofUpdated(place), Stream.fromChunk))
      return { found: own.found, problems }
    })
  )

/** The faults of a file's outputs. One that can't be read is wrong itself, and does not end the others. */
const ofFile = (
  options: OutputCheck.Options,
  file: fileReading.FileOptions,
  selections: Source["selections"]
) => {
  const { path } = file
  const unreadable =
    (output: string, targetLang: string | undefined) =>
    (error: fileReading.FileError | StoreError): Problems<StoreError> =>
      isStoreError(error)
        ? Stream.fail(error)
        : Stream.make<[OutputCheck.Problem]>({
            kind: "unreadable",
            source: Address.shown(path),
            output,
            targetLang,
            error
          })
  return Effect.gen(function* () {
    const format = yield* fileReading.formatOf(path, file.format)
    const source = {
      options,
      file,
      format,
      selections,
      digest: yield* Effect.cached(fileReading.digestOf(path))
    }
    const given = yield* fileReading.outputsOf(file)
    const all = yield* isColumnar(format) ? ofColumnarFile(source, format, given) : ofFiles(source, given)
    return Stream.flatMap(Stream.fromIterable(all), ({ found: { output }, problems }) =>
      Stream.catchAll(problems, unreadable(output.name, output.targetLang))
    )
  }).pipe(Stream.unwrapScoped, Stream.catchAll(unreadable(Address.shown(path), undefined)))
}

export const run = (options: OutputCheck.Options) =>
  Stream.suspend(() => {
    const selections: Source["selections"] = []
    return Stream.concat(
      Stream.flatMap(Stream.fromIterable(options.files), (file) => ofFile(options, file, selections)),
      Stream.suspend(() => Stream.fromIterable(ofLacks(selections)))
    ).pipe(Stream.concat(Stream.fromIterableEffect(orphanedOutputs.find(options))))
  })
