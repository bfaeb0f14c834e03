/** The record of a row in a language, column by column: hashes of the source and of the written translation, and no text. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hash, shortHash } from "../../internal/hash.js"
import { isBlank } from "../../internal/texts.js"

const Entry = Schema.Struct({
  /** The author of the translation; `unknown` of one that was there before there were records. */
  by: Schema.Literal("machine", "person", "unknown"),
  /** The hash of the text that it is a translation of. */
  source: Schema.String,
  /** The hash of the translation. */
  target: Schema.String,
  /** The hash of the options that the machine had. */
  options: Schema.optional(Schema.String),
  /** A person's translation that was told as stale. */
  stale: Schema.optional(Schema.Boolean)
})

interface Entry extends Schema.Schema.Type<typeof Entry> {}

const Entries = Schema.Record({ key: Schema.String, value: Entry })

export type Entries = typeof Entries.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Entries))

/** The record of a row whose output was there before there were records. */
export const before = "unknown"

/** An output's values of a row: the column of hashes, and those of translations by their names. */
export interface Held {
  readonly record: unknown
  readonly texts: Readonly<Record<string, unknown>>
}

/** The work on a row in a language. */
export interface Plan {
  /** The columns that are translated and written. */
  readonly wanted: ReadonlyArray<string>
  /** The record of all columns before that. */
  readonly entries: Entries
  /** The columns that a person has translated from an earlier text. */
  readonly stale: ReadonlyArray<string>
  /** The number of columns that a person has translated. */
  readonly byPersons: number
  /** Translations of unknown authors, by the columns that are translated. */
  readonly unknown: Readonly<Record<string, string>>
  /** True if there is something to write, and be it hashes. */
  readonly isDue: boolean
}

/** A row as it is to become. */
export interface Wish {
  readonly columns: ReadonlyArray<string>
  readonly row: Readonly<Record<string, string | null>>
  /** The options of translations, as JSON can hold them. */
  readonly choices: { readonly options: string; readonly service: string }
  /** The hash of the terms of a glossary that a text holds. @default none */
  readonly termsOf?: ((text: string) => string | undefined) | undefined
  /** `machine`: translates the machine's translations again; `all`: those of persons, too. */
  readonly anew?: "machine" | "all" | undefined
}

const hashOf = (value: unknown): string =>
  shortHash(typeof value === "string" ? `=${value}` : String(value ?? null))

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && isBlank(value))

/** Makes the hashes of the options that a text is translated with now. */
const optionsOf = ({
  choices,
  termsOf
}: Pick<Wish, "choices" | "termsOf">): ((text: string | null) => string) => {
  const common = shortHash(JSON.stringify(choices))
  return (text) => {
    const terms = text === null ? undefined : termsOf?.(text)
    return terms === undefined ? common : shortHash(common + terms)
  }
}

/** The entry that a column keeps; `undefined` if it is to be translated. */
const keptEntry = (
  entry: Entry | undefined,
  held: unknown,
  text: string | null,
  { anew, options }: { readonly anew: Wish["anew"]; readonly options: string }
): Entry | undefined => {
  const [source, target] = [hashOf(text), hashOf(held)]
  if (anew === "all") return undefined
  if (isEmpty(held)) return entry?.source === source && isEmpty(text) ? entry : undefined
  if (entry === undefined) return { by: "person", source, target }
  if (entry.by === "unknown") return undefined
  const isTouched = entry.target !== target
  if (entry.by === "machine" && !isTouched) {
    return entry.source === source && entry.options === options && anew === undefined ? entry : undefined
  }
  const isCurrent = entry.source === source || (entry.stale === true && isTouched)
  return isCurrent
    ? { by: "person", source, target }
    : { by: "person", source: entry.source, target, stale: true }
}

/** The hash of a whole row, which was all that was remembered before there were hashes by column. */
const hashOfRow = ({ choices: { options, service }, columns, row }: Wish): string =>
  hash(JSON.stringify([{ options, service }, columns.map((column) => row[column])]))

/** The columns, and their entries in the record. */
const entriesOf = (wish: Wish, { record, texts }: Held, options: ReturnType<typeof optionsOf>): Entries => {
  const isUnknown = record === before
  if (typeof record !== "string" || !(isUnknown || /^[\da-f]{32}$/.test(record))) {
    return Option.getOrElse(decode(record), () => ({}))
  }
  // The present translations of a row that was translated before count as the machine's.
  const isCurrent = record === hashOfRow(wish)
  return Object.fromEntries(
    wish.columns.map((column) => [
      column,
      {
        by: isUnknown ? ("unknown" as const) : ("machine" as const),
        source: isCurrent ? hashOf(wish.row[column]) : "",
        target: hashOf(texts[column]),
        options: options(wish.row[column] ?? null)
      }
    ])
  )
}

export const plan = (wish: Wish, held: Held): Plan => {
  const { anew, columns, row } = wish
  const options = optionsOf(wish)
  const known = entriesOf(wish, held, options)
  const entries: Record<string, Entry> = { ...known }
  const wanted: Array<string> = []
  const unknown: Record<string, string> = {}
  for (const column of columns) {
    const text = row[column] ?? null
    const kept = keptEntry(known[column], held.texts[column], text, { anew, options: options(text) })
    if (kept === undefined) wanted.push(column)
    if (known[column]?.by === "unknown" && !isEmpty(held.texts[column]) && anew !== "all") {
      unknown[column] = String(held.texts[column])
    }
    // A failed column keeps its earlier translation, of a text that is not known any more.
    entries[column] = kept ??
      known[column] ?? { by: "machine", source: "", target: hashOf(held.texts[column]) }
  }
  const persons = columns.filter((column) => !wanted.includes(column) && entries[column]!.by === "person")
  return {
    wanted,
    entries,
    stale: persons.filter((column) => entries[column]!.stale === true),
    byPersons: persons.length,
    unknown,
    isDue: wanted.length > 0 || JSON.stringify(entries) !== held.record
  }
}

/** A row whose columns were translated: its new texts, and the columns whose translations stay though the source has changed. */
export interface Settled {
  readonly texts: Readonly<Record<string, string | null>>
  readonly record: string
  readonly stale: ReadonlyArray<string>
}

/** Settles a row by its translations. A translation of an unknown author stays as a person's, unless it is the same. */
export const settle = (
  { entries, unknown }: Pick<Plan, "entries" | "unknown">,
  wish: Pick<Wish, "choices" | "row" | "termsOf">,
  translated: Readonly<Record<string, string | null>>
): Settled => {
  const options = optionsOf(wish)
  const stale = Object.keys(translated).filter(
    (column) => unknown[column] !== undefined && unknown[column] !== translated[column]
  )
  const texts = Object.fromEntries(Object.entries(translated).filter(([column]) => !stale.includes(column)))
  const after: Record<string, Entry> = { ...entries }
  for (const column of stale) {
    after[column] = { by: "person", source: "", target: hashOf(unknown[column]), stale: true }
  }
  for (const [column, value] of Object.entries(texts)) {
    after[column] = {
      by: "machine",
      source: hashOf(wish.row[column]),
      target: hashOf(value),
      options: options(wish.row[column] ?? null)
    }
  }
  return { texts, record: JSON.stringify(after), stale }
}
