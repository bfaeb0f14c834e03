/**
 * The record of an output: a line of JSON for each unit, sorted, so that git merges it. A line changes with its own unit only. It holds
 * hashes, and of sources that a person has translated their texts.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { hash, shortHash } from "../../internal/hash.js"

/** A unit of the output. */
const UnitLine = Schema.Struct({
  /** The key of the unit; where keys are places, the hash of its source. */
  key: Schema.String,
  /** The hash of the source that the text in the output is a translation of, as far as that is known. */
  source: Schema.String,
  /** The hash of the text in the output. */
  target: Schema.String,
  /** The author of that text: the machine, a person in this file or by a correction, or nobody yet: then it is the source's. */
  by: Schema.Literal("machine", "person", "correction", "nobody"),
  /** The id of the choices for a machine's translation. */
  choices: Schema.optional(Schema.String),
  /** The hash of the terms of a glossary that a machine's translation was made with, if its source holds some. */
  terms: Schema.optional(Schema.String),
  /** A person's translation whose source has changed since, and which was reported as such. */
  stale: Schema.optional(Schema.Boolean),
  /** The source of a person's translation. */
  text: Schema.optional(Schema.String)
})

/** The state of a unit of the output. */
export interface Entry extends Omit<Schema.Schema.Type<typeof UnitLine>, "key"> {}

const ChoicesLine = Schema.Struct({
  /** The hash of both. */
  choices: Schema.String,
  /** The hash of the options. */
  options: Schema.String,
  /** The hash of the service, and of the content of its glossaries and style rules. */
  service: Schema.String,
  /** The options that are not those of streams, by their names; hashes in place of texts. */
  named: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** A person's choices for translations of the machine. */
export interface Choices extends Omit<Schema.Schema.Type<typeof ChoicesLine>, "choices"> {}

const FileLine = Schema.Struct({
  /** The name of the format. */
  format: Schema.String,
  /** The hash of its settings, which say what is chosen of the source. */
  settings: Schema.String,
  /** The source: an address, or a path from the root of the records. */
  source: Schema.optional(Schema.String)
})

/** The reading of the source that the output was made of. */
export interface File extends Schema.Schema.Type<typeof FileLine> {}

/** The record of an output. A key has several entries after a merge: the one holds whose text the output has. */
export interface OutputRecord {
  readonly file: File | undefined
  readonly choices: ReadonlyMap<string, Choices>
  readonly units: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Entries of an earlier record, or of the record of a file that was moved: one holds where the output has its text. @default none */
  readonly past?: ReadonlyMap<string, ReadonlyArray<Entry>> | undefined
  /** The keys of the units when the output was written, where they say places: some formats find their units by them. @default not known */
  readonly places?: ReadonlyArray<string> | undefined
}

/** The record of an output that was never written here. */
export const empty: OutputRecord = { file: undefined, choices: new Map(), units: new Map() }

/** The hash of a text in records. */
export const hashOf: (text: string) => string = shortHash

/** The id of choices. */
export const idOf = ({ options, service }: Pick<Choices, "options" | "service">): string =>
  hash(options + service).slice(0, 8)

/** The entry of a key whose text in the output has this hash, or else the last one. */
export const entryOf = ({ past, units }: OutputRecord, key: string, target: string): Entry | undefined => {
  const fitting = (entries: ReadonlyArray<Entry> | undefined) =>
    entries?.find((entry) => entry.target === target)
  const entries = units.get(key)
  return fitting(entries) ?? fitting(past?.get(key)) ?? entries?.at(-1)
}

/** The hashes of the texts that the machine has written. */
export const machineTexts = ({ past, units }: OutputRecord): ReadonlySet<string> =>
  new Set(
    [...units.values(), ...(past?.values() ?? [])].flatMap((entries) =>
      entries.flatMap(({ by, target }) => (by === "machine" ? [target] : []))
    )
  )

const Line = Schema.parseJson(Schema.Union(UnitLine, ChoicesLine, FileLine))
const decodeLine = Schema.decodeUnknownEither(Line)

/** The lines of a file of records. Of one with the marks of a merge, the lines of both sides. */
export const linesOf = (text: string): ReadonlyArray<string> => {
  let isBase = false
  return text.split(/\r?\n/).filter((line) => {
    if (line.startsWith("|||||||")) isBase = true
    if (line.startsWith("=======") || line.startsWith(">>>>>>>")) isBase = false
    return line.startsWith("{") && !isBase
  })
}

/** Reads the lines of a record. */
export const parse = (lines: Iterable<string>): Either.Either<OutputRecord, ParseResult.ParseError> =>
  Either.gen(function* () {
    const units = new Map<string, ReadonlyArray<Entry>>()
    const choices = new Map<string, Choices>()
    let file: File | undefined
    for (const json of new Set(lines)) {
      const line = yield* decodeLine(json)
      if ("key" in line) {
        const { key, ...entry } = line
        units.set(key, [...(units.get(key) ?? []), entry])
      } else if ("choices" in line) {
        const { choices: id, ...own } = line
        choices.set(id, own)
      } else file = line
    }
    return { file, choices, units }
  })

/** The file of records with these lines. */
export const fileOf = (lines: ReadonlyArray<object>): string =>
  lines
    .map((line) => `${JSON.stringify(line)}\n`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join("")

/** The lines of a record, with the choices that a unit of it was made with. */
export const render = ({ choices, file, units }: OutputRecord): string => {
  const entries = [...units].flatMap(([key, entries]) =>
    entries.map(({ by, choices, source, stale, target, terms, text }) => ({
      key,
      source,
      target,
      by,
      choices,
      terms,
      stale,
      text
    }))
  )
  const used = new Set(entries.map(({ choices }) => choices))
  return fileOf([
    ...(file === undefined ? [] : [{ format: file.format, settings: file.settings, source: file.source }]),
    ...[...choices].flatMap(([id, { named, options, service }]) =>
      used.has(id) ? [{ choices: id, options, service, named }] : []
    ),
    ...entries
  ])
}

const Units = Schema.ReadonlyMap({ key: Schema.String, value: Schema.Array(UnitLine.omit("key")) })

/** The record of an output, and the text of its file. */
export const OutputRecord: Schema.Schema<OutputRecord, string> = Schema.transformOrFail(
  Schema.String,
  Schema.typeSchema(
    Schema.Struct({
      file: Schema.UndefinedOr(FileLine),
      choices: Schema.ReadonlyMap({ key: Schema.String, value: ChoicesLine.omit("choices") }),
      units: Units,
      past: Schema.optional(Units),
      places: Schema.optional(Schema.Array(Schema.String))
    })
  ),
  {
    strict: true,
    decode: (text, _, ast) =>
      Either.mapLeft(parse(linesOf(text)), ({ message }) => new ParseResult.Type(ast, text, message)),
    encode: (record) => Either.right(render(record))
  }
)
