/** A format with tables, and others that break one law each. */
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Format from "../../src/format/Format.js"
import type * as FormatLaws from "../../src/format/FormatLaws.js"
import { mergeEntries } from "../../src/format/internal/mergeEntries.js"

interface Line {
  readonly raw: string
  readonly start: number
  readonly end: number
  readonly table: string
  readonly key: string
  readonly text: string
}

/** Lines of `[table]` and `name=text`; one that is neither is refused. */
const linesOf = (text: string): Either.Either<ReadonlyArray<Line>, Format.Problem> => {
  let table = ""
  let start = 0
  const lines: Array<Line> = []
  for (const raw of text.split(/(?<=\n)/)) {
    const [, head, name, value = ""] = /^(?:\[(\w+)\]|(\w+)=(.*))?\r?\n?$/.exec(raw) ?? ["", "", "", "?"]
    if (value === "?" && head === "") {
      return Either.left({ line: lines.length + 1, message: "this is no entry: write name=text." })
    }
    table = head ?? table
    const end = start + raw.trimEnd().length
    lines.push({ raw, start, end, table, key: name === undefined ? "" : `${table}.${name}`, text: value })
    start += raw.length
  }
  return Either.right(lines)
}

const partOf = ({ key, raw, text }: Line, index: number): Format.Part =>
  text === ""
    ? { raw, units: [] }
    : {
        raw,
        units: [{ key, text, line: index + 1, state: "missing" }],
        write: ([translation]) =>
          Either.right(translation === undefined ? raw : raw.replace(text, () => translation))
      }

type Tables = Map<string, Map<string, string>>

const tablesOf = (text: string): Tables => {
  const tables: Tables = new Map()
  for (const { key, table, text: value } of Either.getOrElse(linesOf(text), () => [])) {
    if (!tables.has(table)) tables.set(table, new Map())
    if (key !== "") tables.get(table)!.set(key.slice(table.length + 1), value)
  }
  return tables
}

const textOf = (tables: Tables): string =>
  [...tables]
    .map(([table, entries]) =>
      [`[${table}]\n`, ...[...entries].map(([name, text]) => `${name}=${text}\n`)].join("")
    )
    .join("")

/** Entries in the order of the source; what it does not have stands behind them. */
const mergedTables = (source: Tables, target: Tables, removed: "keep" | "drop"): Tables =>
  new Map(
    [...new Set([...source.keys(), ...(removed === "keep" ? target.keys() : [])])].map((table) => {
      const [ours = new Map<string, string>(), theirs = new Map<string, string>()] = [
        source.get(table),
        target.get(table)
      ]
      const names = new Set([...ours.keys(), ...(removed === "keep" ? theirs.keys() : [])])
      return [table, new Map([...names].map((name) => [name, theirs.get(name) || (ours.get(name) ?? "")]))]
    })
  )

const parse: Format.WholeFileOptions["parse"] = (text) =>
  Either.map(linesOf(text), (lines) => lines.map(partOf))

const tablesWith = (options: Partial<Format.WholeFileOptions>): Format.Format =>
  Format.wholeFile({
    name: "tables",
    extensions: [".tables"],
    parse,
    merge: (source, target, { removed }) =>
      Either.right(textOf(mergedTables(tablesOf(source), tablesOf(target), removed))),
    ...options
  })

/** The format as it should be. */
export const sound: Format.Format = tablesWith({})

const parsing = (change: (part: Format.Part, index: number) => Format.Part) =>
  tablesWith({ parse: (text) => Either.map(linesOf(text), (lines) => lines.map(partOf).map(change)) })

const merging = (change: (merged: Tables, source: Tables, target: Tables) => Tables | string) =>
  tablesWith({
    merge: (source, target, { removed }) => {
      const [ours, theirs] = [tablesOf(source), tablesOf(target)]
      const merged = change(mergedTables(ours, theirs, removed), ours, theirs)
      return Either.right(typeof merged === "string" ? merged : textOf(merged))
    }
  })

/** Decodes each piece by itself, as if lines ended with it. */
const byPieces: Format.Format["decode"] = (options) => (self) =>
  Stream.mapConcatEffect(self, (bytes) =>
    Either.mapLeft(
      Either.map(linesOf(new TextDecoder().decode(bytes)), (lines) => lines.map(partOf)),
      (problem) => Format.formatError("tables", options.file, problem)
    )
  )

const refusing = (change: (error: Format.FormatError) => Format.FormatError): Format.Format => ({
  ...sound,
  decode: (options) => (self) =>
    Stream.mapError(sound.decode(options)(self), (error) =>
      error instanceof Format.FormatError ? change(error) : error
    )
})

/** A flat list of entries, each behind the one that it follows in the source: it knows nothing of tables. */
const byEntries: Format.Format["merge"] = (source, target, { removed }) =>
  Either.map(Either.all([linesOf(source), linesOf(target)]), ([ours, theirs]) => {
    const entries = (lines: ReadonlyArray<Line>) => lines.filter(({ text }) => text !== "")
    return mergeEntries({
      source: { text: source, entries: entries(ours) },
      target: { text: target, entries: entries(theirs) },
      newlines: 1,
      remove: ({ start, end }) => (removed === "keep" ? target.slice(start, end) : undefined)
    })
  })

const source = "[home]\ntitle=Cups\nbody=A cup\nhelp=Ask\n[cart]\ntitle=Cart\nbody=Pay\n"

/** A target that lacks the first entry of a table, and has one that the source has not. */
const target = "[home]\ntitle=Tassen\nhelp=Fragen\nold=Alt\n[cart]\nbody=Zahlen\n"

const encoder = new TextEncoder()

export const sample: FormatLaws.Sample = {
  document: encoder.encode(source),
  target: encoder.encode(target),
  cuts: [18, 29]
}

/** The sample, whose last line is no entry. */
export const damaged: FormatLaws.Sample = { document: encoder.encode(`${source}?`), cuts: [3, 20, 33] }

/** The sample, many times. */
export const large: FormatLaws.Sample = {
  document: encoder.encode(source.repeat(2000)),
  cuts: Array.from({ length: 100 }, (_, index) => index * 1000)
}

/** What is wrong with a format, and the law that sees it. */
export const broken: ReadonlyArray<{
  readonly law: FormatLaws.Name
  readonly fault: string
  readonly format: Format.Format
  readonly sample?: FormatLaws.Sample
}> = [
  {
    law: "identity",
    fault: "loses whitespace at the end of a line",
    format: parsing((part) => ({ ...part, raw: part.raw.replace("Cups", "Cup") }))
  },
  {
    law: "identity",
    fault: "takes the end of a piece for that of a line",
    format: { ...sound, decode: byPieces }
  },
  {
    law: "identity",
    fault: "gives two units one key",
    format: parsing((part) => ({
      ...part,
      units: part.units.map((unit) => ({ ...unit, key: unit.key.replace(/^\w+/, "") }))
    }))
  },
  {
    law: "identity",
    fault: "writes what is not translated in another way",
    format: parsing((part) => ({ ...part, write: ([text]) => Either.right(`${text ?? part.raw} `) }))
  },
  {
    law: "refusal",
    fault: "does not say the line",
    format: refusing(({ file, message }) => new Format.FormatError({ format: "tables", file, message })),
    sample: damaged
  },
  {
    law: "refusal",
    fault: "does not name the file",
    format: refusing(({ line }) =>
      Format.formatError("tables", undefined, { line, message: "this is no entry." })
    ),
    sample: damaged
  },
  {
    law: "refusal",
    fault: "counts lines from the beginning of a piece",
    format: { ...sound, decode: byPieces },
    sample: { document: encoder.encode("[home]\ntitle=Cups\n?"), cuts: [7] }
  },
  {
    law: "memory",
    fault: "holds the whole file whatever its size",
    format: {
      ...sound,
      decode: (options) => sound.decode({ ...options, maxBytes: Number.MAX_SAFE_INTEGER })
    },
    sample: large
  },
  {
    law: "update",
    fault: "names units by their texts",
    format: parsing((part) => ({ ...part, units: part.units.map((unit) => ({ ...unit, key: unit.text })) }))
  },
  {
    law: "update",
    fault: "writes a text that is read as another one",
    format: parsing((part) => ({
      ...part,
      write: ([text]) => Either.right(text === undefined ? part.raw : part.raw.replace("=", `=${text}`))
    }))
  },
  {
    law: "update",
    fault: "loses a text when another one is written",
    format: tablesWith({
      parse: (text) =>
        Either.map(linesOf(text), (lines) => {
          const parts = lines.map(partOf)
          return [
            {
              raw: text,
              units: parts.flatMap(({ units }) => units),
              write: (translations) => {
                const texts = [...translations]
                const isUntouched = translations.every((translation) => translation === undefined)
                return Either.right(
                  parts
                    .map(({ raw, units: [unit] }) =>
                      unit === undefined || isUntouched
                        ? raw
                        : raw.replace(unit.text, () => texts.shift() ?? "lost")
                    )
                    .join("")
                )
              }
            }
          ]
        })
    })
  },
  {
    law: "merge",
    fault: "puts the first entry of a table at the end of the table before",
    format: { ...sound, merge: byEntries }
  },
  {
    law: "merge",
    fault: "leaves out a table that the target lacks",
    format: merging((merged, _, target) => new Map([...merged].filter(([table]) => target.has(table)))),
    sample: { ...sample, target: encoder.encode("[home]\ntitle=Tassen\n") }
  },
  {
    law: "merge",
    fault: "takes the text of the source where the target has one",
    format: merging((_, source) => source)
  },
  {
    law: "merge",
    fault: "drops what it is to keep",
    format: tablesWith({
      merge: (source, target) =>
        Either.right(textOf(mergedTables(tablesOf(source), tablesOf(target), "drop")))
    })
  },
  {
    law: "merge",
    fault: "keeps what it is to drop",
    format: tablesWith({
      merge: (source, target) =>
        Either.right(textOf(mergedTables(tablesOf(source), tablesOf(target), "keep")))
    })
  },
  {
    law: "merge",
    fault: "puts what is missing at the end of its table",
    format: merging(
      (merged, _, target) =>
        new Map(
          [...merged].map(([table, entries]) => {
            const isNew = (name: string) => target.get(table)?.has(name) !== true
            return [
              table,
              new Map([...entries].sort(([one], [other]) => Number(isNew(one)) - Number(isNew(other))))
            ]
          })
        )
    ),
    sample: { ...sample, target: encoder.encode("[home]\ntitle=Tassen\nhelp=Fragen\n[cart]\nbody=Zahlen\n") }
  },
  {
    law: "emptied",
    fault: "loses a text of the target where the source has none",
    format: merging(
      (merged, source) =>
        new Map(
          [...merged].map(([table, entries]) => {
            const isBlank = (name: string) => source.get(table)?.get(name) === ""
            return [table, new Map([...entries].map(([name, text]) => [name, isBlank(name) ? "" : text]))]
          })
        )
    )
  },
  {
    law: "emptied",
    fault: "leaves a blank in the target that the source has a text for",
    format: merging(
      (merged, _, target) =>
        new Map(
          [...merged].map(([table, entries]) => [
            table,
            new Map([...entries].map(([name, text]) => [name, target.get(table)?.get(name) ?? text]))
          ])
        )
    )
  },
  {
    law: "mergeTwice",
    fault: "adds a line each time",
    format: merging((merged) => `\n${textOf(merged)}`.repeat(1))
  }
]
