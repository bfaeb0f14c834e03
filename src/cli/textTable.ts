/** Words and figures for people. */
import Table from "cli-table3"

/** A figure with its thousands apart; costs of less than 1 have four digits. `toLocaleString` loads 10 ms of data for it. */
export const count = (value: number): string => {
  const [whole = "", ...fraction] = String(Math.round(value * 1e4) / 1e4).split(".")
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...fraction].join(".")
}

/** "1 text", "2 texts". */
export const plural = (value: number, noun: string, several = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : several}`

/** "6 texts"; "about 123,000 texts" of an estimate. */
export const estimated = (value: number, noun: string, isExact: boolean): string =>
  isExact ? plural(value, noun) : `about ${plural(Number(value.toPrecision(3)), noun)}`

/** The sum of a figure of each. */
export const sumOf = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0)

type Part = string | false | undefined | ReadonlyArray<string>

/** The parts that there are: `false` and `undefined` are none, and lists are many. */
export const present = (...parts: ReadonlyArray<Part>): ReadonlyArray<string> =>
  parts.flat().filter((part) => typeof part === "string")

/** The parts that there are, each on a line of its own. */
export const lines = (...parts: ReadonlyArray<Part>): string => present(...parts).join("\n")

/** Columns without lines: the first to the left, figures to the right. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>
): string => {
  const nothing = [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right"
  ]
  const inside = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid"]
  const isFigure = (column: number) =>
    rows.length > 0 && rows.every((row) => row[column] === undefined || typeof row[column] === "number")
  const drawn = new Table({
    head: [...heads],
    chars: { ...Object.fromEntries([...nothing, ...inside].map((name) => [name, ""])), middle: "  " },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colAligns: heads.map((_, column) => (isFigure(column) ? "right" : "left"))
  })
  for (const row of rows) {
    drawn.push(row.map((cell) => (typeof cell === "number" ? count(cell) : (cell ?? ""))))
  }
  return drawn
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}
