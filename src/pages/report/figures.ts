/** What a job has done, in figures: at a glance, and for each language. */

import { count, element, plural, table, words } from "../shared/dom.js"
import type { Report } from "./readReport.js"
import type { State } from "./reportData.js"
import { labels } from "./textsTab.js"

type Job = Report["report"]

const sum = <A>(values: ReadonlyArray<A>, of: (value: A) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

interface Range {
  readonly least: number
  readonly most: number
}

const range = ({ least, most }: Range, show: (value: number) => string): string =>
  least === most ? show(least) : `${show(least)} to ${show(most)}`

const money = (value: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: value < 0.1 ? 4 : 2 })

/** "1 min 5 s" */
const took = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"]
  ] as const
  return parts
    .filter(([value]) => value > 0)
    .slice(0, 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(" ")
}

const done = ["translated", "cached", "skipped", "failed"] as const satisfies ReadonlyArray<State>

/** The shares of texts by what became of them, as a bar. */
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

/** What happened, in words. */
export const heading = ({ report, sources }: Report): ReadonlyArray<Node> => {
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
    element("p", { class: "about" }, "Translation report"),
    element("h1", { class: end.state }, headings[end.state]),
    ...(end.error === undefined
      ? []
      : [
          element(
            "p",
            { class: "reason" },
            element("strong", {}, words(end.error.tag)),
            " ",
            end.error.message
          )
        ]),
    element("p", { class: "next" }, end.next),
    element("p", { class: "about" }, about.join("  ·  "))
  ]
}

/** The figures of the whole job. */
export const figures = ({ report }: Report): HTMLElement => {
  const { all, characters, cost, of } = totals(report)
  const figure = (value: string, label: string, kind?: string) =>
    element("div", { class: kind }, element("dt", {}, label), element("dd", {}, value))
  return element(
    "section",
    { class: "figures", "aria-label": "In figures" },
    shares(of, all),
    element(
      "dl",
      {},
      figure(count(all), all === 1 ? "text" : "texts"),
      ...done
        .filter((state) => of[state] > 0)
        .map((state) => figure(count(of[state]), labels[state].toLowerCase(), state)),
      figure(range(characters, count), "characters billed"),
      ...(cost === undefined ? [] : [figure(range(cost, money), "cost")])
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
    element("h3", {}, "What may be paid twice"),
    element(
      "p",
      {},
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

/** What each language has taken. */
export const languages = ({ report }: Report): HTMLElement => {
  const { targets } = report
  const hasCost = targets.some(({ cost }) => cost !== undefined)
  const hasRefusals = targets.some(({ refusals }) => Object.keys(refusals).length > 0)
  const isExact = targets.every(({ characters: { least, most } }) => least === most)
  const present = done.filter((state) => targets.some((target) => target[state] > 0))
  return element(
    "div",
    {},
    table(
      "Each language in figures",
      [
        "Language",
        "Texts",
        "Outcome",
        ...present.map((state) => labels[state]),
        "Characters billed",
        ...(hasCost ? ["Cost"] : []),
        "Requests",
        "Repeated",
        ...(hasRefusals ? ["Failed requests"] : []),
        "Time"
      ],
      targets.map((target) => [
        target.targetLang,
        target.in,
        shares(target, target.in),
        ...present.map((state) => target[state]),
        isExact ? target.characters.least : range(target.characters, count),
        ...(hasCost ? [target.cost === undefined ? "" : range(target.cost, money)] : []),
        target.requests,
        target.retries,
        ...(hasRefusals
          ? [
              Object.entries(target.refusals)
                .map(([tag, refused]) => `${words(tag)}: ${count(refused)}`)
                .join(", ")
            ]
          : []),
        took(target.took)
      ]),
      true
    ),
    ...twice(report)
  )
}
