/** The lines of a terminal that show how far a job is. */
import type * as ConcurrencyLimit from "../../client/ConcurrencyLimit.js"
import type * as Progress from "../../stream/Progress.js"
import * as text from "../textTable.js"
import * as progressText from "./progressText.js"

/** The content of the screen. */
export interface View {
  readonly state: Progress.State
  readonly limit: ConcurrencyLimit.State
  /** True if the job ends once requests in flight have ended. */
  readonly isHalting: boolean
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

type Paint = (text: string) => string

/** Colours, and the characters of bars. */
export interface Style {
  readonly complete: Paint
  readonly running: Paint
  readonly faint: Paint
  readonly bad: Paint
  readonly warning: Paint
  readonly full: string
  readonly empty: string
}

const sgr =
  (code: number): Paint =>
  (text) =>
    text === "" ? "" : `\u001b[${code}m${text}\u001b[0m`

const plain: Paint = (text) => text

export const style = (hasColours: boolean, hasUnicode: boolean): Style => ({
  ...(hasColours
    ? { complete: sgr(32), running: sgr(36), faint: sgr(2), bad: sgr(31), warning: sgr(33) }
    : { complete: plain, running: plain, faint: plain, bad: plain, warning: plain }),
  full: hasUnicode ? "━" : "=",
  empty: hasUnicode ? (hasColours ? "━" : "─") : "-"
})

/** The longest bar, the shortest one that counts and failures have room beside, and the shortest one. */
const bars = { most: 40, beside: 10, least: 5 }

const gap = "  "

/** Parts beside each other, on as many lines as they take. */
const flow = (parts: ReadonlyArray<string>, separator: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + separator.length + part.length <= width) {
      lines[lines.length - 1] = last + separator + part
    } else lines.push(part.slice(0, width))
  }
  return lines
}

const sentence = (words: string, width: number) => flow(words.split(" "), " ", width)

const shareOf = ({ done, total }: Progress.TargetState): number | undefined =>
  total === undefined ? undefined : total === 0 ? 1 : Math.min(1, done / total)

const bar = (share: number, width: number, { complete, empty, faint, full, running }: Style): string => {
  const size = share === 1 ? width : Math.min(width - 1, Math.round(share * width))
  return (share === 1 ? complete : running)(full.repeat(size)) + faint(empty.repeat(width - size))
}

/** 100 % only if all is done. */
const percent = (share: number): string => `${Math.floor(share * 100)} %`.padStart(5)

const widest = (texts: ReadonlyArray<string>): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0)

/** The space of a name, a bar of this length and a percentage. */
const spaceOf = (name: number, bar: number): number => name + gap.length + bar + " 100 %".length

/** A line for each language: its bar, and the figures that fit into the width. */
const languages = (
  targets: ReadonlyArray<Progress.TargetState>,
  width: number,
  style: Style
): ReadonlyArray<string> => {
  const names = targets.map(({ targetLang = "" }) => targetLang)
  const counts = targets.map(({ done, total }) =>
    total === undefined ? text.plural(done, "text") : `${text.count(done)} of ${text.count(total)}`
  )
  const failures = targets.map((target) => progressText.failures(target).join())
  const room = (...columns: ReadonlyArray<ReadonlyArray<string>>) =>
    columns
      .map(widest)
      .filter((column) => column > 0)
      .reduce((left, column) => left - gap.length - column, width - spaceOf(widest(names), 0))
  const hasCounts = room(counts, failures) >= bars.beside
  const hasFailures = hasCounts || room(failures) >= bars.beside
  const beside = [...(hasCounts ? [counts] : []), ...(hasFailures ? [failures] : [])]
  const size = Math.max(1, Math.min(bars.most, room(...beside)))
  return targets.map((target, index) => {
    const share = shareOf(target)
    const name = names[index]!.padEnd(widest(names))
    const failed = hasFailures && failures[index] !== "" ? [style.bad(failures[index]!)] : []
    if (share === undefined) {
      const known = [name, counts[index]].join(gap).slice(0, width)
      return hasCounts ? [known, ...failed].join(gap) : known
    }
    const shown = `${bar(share, size, style)} ${percent(share)}`
    const count = hasCounts ? [style.faint(counts[index]!.padStart(widest(counts)))] : []
    return [name, shown, ...count, ...failed].join(gap)
  })
}

/** The width of a line on the screen: without its colours. */
export const widthOf = (line: string): number => line.replace(/\u001b\[\d+m/g, "").length

const isComplete = (target: Progress.TargetState): boolean => shareOf(target) === 1

/** The languages on these lines: in several columns, and without the last of them, if there are too many. */
const grid = (
  targets: ReadonlyArray<Progress.TargetState>,
  { columns: width, rows }: Size,
  style: Style
): ReadonlyArray<string> => {
  const least = spaceOf(widest(targets.map(({ targetLang = "" }) => targetLang)), bars.least)
  const most = Math.max(1, Math.floor((width + gap.length) / (least + gap.length)))
  const columns = Math.min(most, Math.ceil(targets.length / rows))
  const cell = Math.floor((width + gap.length) / columns) - gap.length
  const fits = columns * rows
  const shown =
    targets.length <= fits
      ? targets
      : targets
          .filter((target) => !isComplete(target))
          .concat(targets.filter(isComplete))
          .slice(0, fits - 1)
  const left = targets.length - shown.length
  const cells = [
    ...languages(shown, cell, style),
    ...(left > 0 ? [style.faint(`and ${text.count(left)} more`.slice(0, cell))] : [])
  ]
  const lines = Math.ceil(cells.length / columns)
  return Array.from({ length: lines }, (_, line) =>
    cells
      .filter((_, index) => index % lines === line)
      .map((text) => text + " ".repeat(Math.max(0, cell - widthOf(text))))
      .join(gap)
      .trimEnd()
  )
}

/** The lines, fewer than the rows of the terminal, each shorter than a row. */
export const make = ({ isHalting, limit, state }: View, size: Size, style: Style): ReadonlyArray<string> => {
  const columns = Math.max(1, size.columns - 1)
  const rows = Math.max(1, size.rows - 1)
  const trouble = progressText.trouble(state, limit)
  const parts = (parts: ReadonlyArray<string>) => flow(parts, " · ", columns)
  const told = [
    ...parts(progressText.pace(state)),
    ...parts(progressText.bill(state)).map(style.faint),
    ...parts(progressText.requests(state, limit)).map(style.faint),
    ...(trouble === undefined ? [] : sentence(trouble, columns).map(style.warning)),
    ...(isHalting ? sentence(progressText.halting, columns).map(style.warning) : [])
  ]
  const left = rows - told.length - 2
  if (left < 1 || state.targets.length === 0) return told.slice(-rows)
  return ["", ...grid(state.targets, { columns, rows: left }, style), "", ...told]
}
