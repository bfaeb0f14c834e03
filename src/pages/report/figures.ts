/** The result of a job in figures: at a glance, and for each language. */

import { element, figure, table } from "../shared/dom.js"
import { count, money, plural, range, span, sum, words } from "../shared/figures.js"
import type { Report } from "./readReport.js"
import type { State } from "./reportData.js"
import { labels } from "./textsTab.js"

type Job = Report["report"]

/** "1 min 5 s"; "20 ms" */
const took = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : span(milliseconds)

const done = ["translated", "cached", "skipped", "failed"] as const satisfies ReadonlyArray<State>

/** The shares of texts by outcome, as a bar. */
const shares = (of: Readonly<Record<(typeof done)[number], number>>, all: number): HTMLElement => {
  const bar = element("div", {
    class: "shares",
    role: "img",
    "aria-label": done
      .filter((state) => of[state] > 0)
      .map((state) => `${labels[state]} ${count(of[state])}`)
      .join(", ")
  })
  for (const state of done) {
    const part = element("span", { class: state })
    part.style.flexGrow = `${all === 0 ? 0 : of[state] / all}`
    if (of[state] > 0) bar.append(part)
  }
  return bar
}

const totals = ({ targets }: Job) => ({
  all: sum(targets, (target) => target.in),
  of: {
    translated: sum(targets, (target) => target.translated),
    cached: sum(targets, (target) => target.cached),
    skipped: sum(targets, (target) => target.skipped),
    failed: sum(targets, (target) => target.failed)
  },
  characters: {
    least: sum(targets, ({ characters }) => characters.least),
    most: sum(targets, ({ characters }) => characters.most)
  },
  cost: targets.some(({ cost }) => cost !== undefined)
    ? {
        least: sum(targets, ({ cost }) => cost?.least ?? 0),
        most: sum(targets, ({ cost }) => cost?.most ?? 0)
      }
    : undefined
})

const headings: Readonly<Record<Job["end"]["state"], string>> = {
  complete: "The job is complete",
  incomplete: "Some texts are not translated",
  failed: "The job has ended early",
  interrupted: "The job was interrupted"
}

/** The end of the job, in words. */
export const heading = ({ report, sources }: Report): ReadonlyArray<Node | undefined> => {
  const { end, endedAt, sourceLang, startedAt, targets } = report
  const begun = new Date(startedAt)
  const codes = targets.map(({ targetLang }) => targetLang)
  const languages = codes.length > 8 ? plural(codes.length, "language") : codes.join(", ")
  const about = [
    `${sourceLang ?? "detected"} → ${languages}`,
    plural(new Set([...sources, ...report.outputs.map(({ source }) => source)]).size, "file"),
    begun.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
    took(Date.parse(endedAt) - begun.getTime())
  ]
  return [
    element("p.about", "Translation report"),
    element("h1", { class: end.state }, headings[end.state]),
    end.error && element("p.reason", element("strong", words(end.error.tag)), " ", end.error.message),
    element("p.next", end.next),
    element("p.about", about.join("  ·  "))
  ]
}

/** The figures of the whole job. */
export const figures = ({ report }: Report): HTMLElement => {
  const { all, characters, cost, of } = totals(report)
  return element(
    "section.figures",
    { "aria-label": "In figures" },
    shares(of, all),
    element(
      "dl",
      figure(count(all), all === 1 ? "text" : "texts"),
      done
        .filter((state) => of[state] > 0)
        .map((state) => figure(count(of[state]), labels[state].toLowerCase(), state)),
      figure(range(characters, count), "characters billed"),
      cost && figure(range(cost, money), "cost")
    )
  )
}

const twice = ({ inDoubt }: Job): ReadonlyArray<Node> => {
  if (inDoubt === undefined) return []
  const lists = [
    ["Since this job began", inDoubt.sinceStart],
    ["Since the store was made", inDoubt.everything]
  ] as const
  if (lists.every(([, doubts]) => doubts.length === 0)) return []
  return [
    element("h3", "What may be paid twice"),
    element(
      "p",
      "These requests were sent, and their answers are not known: they may have been billed, and are billed again if their texts are sent again."
    ),
    ...lists
      .filter(([, doubts]) => doubts.length > 0)
      .map(([caption, doubts]) =>
        table(
          caption,
          ["Why", "Requests", "Characters"],
          doubts.map(({ characters, requests, why }) => [why, requests, characters])
        )
      )
  ]
}

type Column = readonly [head: string, cellOf: (target: Job["targets"][number]) => Node | string | number]

/** The figures of each language. */
export const languages = ({ report }: Report): HTMLElement => {
  const { targets } = report
  const isExact = targets.every(({ characters: { least, most } }) => least === most)
  const present = done.filter((state) => targets.some((target) => target[state] > 0))
  const columns: ReadonlyArray<Column | false> = [
    ["Language", ({ targetLang }) => targetLang],
    ["Texts", (target) => target.in],
    ["Outcome", (target) => shares(target, target.in)],
    ...present.map((state): Column => [labels[state], (target) => target[state]]),
    ["Characters billed", ({ characters }) => (isExact ? characters.least : range(characters, count))],
    targets.some(({ cost }) => cost !== undefined) && [
      "Cost",
      ({ cost }) => (cost === undefined ? "" : range(cost, money))
    ],
    ["Requests", ({ requests }) => requests],
    ["Repeated", ({ retries }) => retries],
    targets.some(({ refusals }) => Object.keys(refusals).length > 0) && [
      "Failed requests",
      ({ refusals }) =>
        Object.entries(refusals)
          .map(([tag, refused]) => `${words(tag)}: ${count(refused)}`)
          .join(", ")
    ],
    ["Time", (target) => took(target.took)]
  ]
  const shown = columns.filter((column) => column !== false)
  const heads = shown.map(([head]) => head)
  const rows = targets.map((target) => shown.map(([, cellOf]) => cellOf(target)))
  return element("div", table("Each language in figures", heads, rows, true), twice(report))
}
