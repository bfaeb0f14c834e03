/** The course of the job: plots over time, and the same as a table. */
import uPlot from "uplot"
import { element, table } from "../shared/dom.js"
import { count } from "../shared/figures.js"
import type { Sample } from "./reportData.js"

/** The changes from one sample to the next. */
interface Step {
  /** Seconds since the beginning, at its end. */
  readonly at: number
  /** Texts in a second. */
  readonly rate: number
  /** Requests that were refused in a second. */
  readonly refused: number
  readonly inUse: number
  readonly limit: number | null
}

const stepsOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Step> =>
  samples.slice(1).map((sample, index) => {
    const before = samples[index]!
    const seconds = Math.max(0.001, sample.at - before.at)
    return {
      at: sample.at,
      rate: (sample.done - before.done) / seconds,
      refused: (sample.refused - before.refused) / seconds,
      inUse: sample.inUse,
      limit: sample.limit
    }
  })

const mostRows = 60

/** So few samples that a person can read them. */
const thinned = (samples: ReadonlyArray<Sample>): ReadonlyArray<Sample> => {
  const every = Math.ceil((samples.length - 1) / mostRows)
  return samples.filter((_, index) => index % every === 0 || index === samples.length - 1)
}

/** "1:05", "1:00:05" */
const clock = (seconds: number): string => {
  const whole = Math.round(seconds)
  const pad = (value: number) => `${value}`.padStart(2, "0")
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`
}

/** Seconds from one tick to the next. */
const ticks = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400]

/** From one line across to the next. */
const whole = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

const rounded = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value))

const colour = (name: string) => () =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

interface Line {
  readonly label: string
  readonly colour: string
  readonly values: ReadonlyArray<number | null>
  readonly isFilled?: boolean | undefined
  readonly isStepped?: boolean | undefined
}

export interface Course {
  readonly root: HTMLElement
  /** Draws in the colours and the width of now. */
  readonly refresh: () => void
}

export const make = (samples: ReadonlyArray<Sample>): Course => {
  const steps = stepsOf(samples)
  if (steps.length < 2) {
    return {
      root: element("p.none", "The job was too short to be plotted."),
      refresh: () => {}
    }
  }
  const seconds = steps.map(({ at }) => at)
  const plots: Array<{ readonly plot: uPlot; readonly holder: HTMLElement }> = []

  const axis = {
    stroke: colour("--soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif"
  }

  const figure = (title: string, summary: string, lines: ReadonlyArray<Line>): HTMLElement => {
    const holder = element("div.plot", { role: "img", "aria-label": `${title}. ${summary}` })
    const plot = new uPlot(
      {
        width: 600,
        height: 170,
        legend: { show: false },
        cursor: { sync: { key: "course" }, points: { size: 7 }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [
          { ...axis, incrs: ticks, size: 30, values: (_, values) => values.map(clock), space: 70 },
          { ...axis, incrs: whole, size: 52, values: (_, values) => values.map((value) => count(value)) }
        ],
        series: [
          {},
          ...lines.map(({ colour: name, isFilled, isStepped, label }) => ({
            label,
            stroke: colour(name),
            width: 1.75,
            points: { show: false },
            ...(isFilled ? { fill: colour(`${name}-tint`) } : {}),
            ...(isStepped ? { paths: uPlot.paths.stepped!({ align: -1 }), dash: [5, 4] } : {})
          }))
        ],
        hooks: {
          setCursor: [
            ({ cursor: { idx } }) => {
              told.textContent =
                idx === null || idx === undefined
                  ? summary
                  : `${clock(seconds[idx]!)}: ${lines
                      .map(
                        ({ label, values }) =>
                          `${label} ${values[idx] === null ? "none" : count(rounded(values[idx]!))}`
                      )
                      .join(", ")}`
            }
          ]
        }
      },
      [seconds, ...lines.map(({ values }) => [...values])],
      holder
    )
    const told = element("p.about", summary)
    plots.push({ plot, holder })
    const keys =
      lines.length > 1 &&
      lines.map(({ colour, label }) => element("span", { class: `key-of ${colour.slice(2)}` }, label))
    return element("figure", element("figcaption", element("h3", title), keys, told), holder)
  }

  const last = samples.at(-1)!
  const first = samples[0]!
  const limits = steps.flatMap(({ limit }) => (limit === null ? [] : [limit]))
  const mean = (last.done - first.done) / Math.max(0.001, last.at - first.at)
  const atMost = (values: ReadonlyArray<number>) => count(rounded(Math.max(...values)))
  const refusedInAll = last.refused - first.refused
  const rows = stepsOf(thinned(samples))

  const refresh = () => {
    for (const { holder, plot } of plots) {
      if (holder.clientWidth > 0) plot.setSize({ width: holder.clientWidth, height: 170 })
    }
  }

  const root = element(
    "div.course",
    figure(
      "Texts per second",
      `${count(rounded(mean))} on average, ${atMost(steps.map(({ rate }) => rate))} at most`,
      [
        {
          label: "texts per second",
          colour: "--translated",
          values: steps.map(({ rate }) => rate),
          isFilled: true
        }
      ]
    ),
    figure(
      "Requests in flight",
      limits.length === 0
        ? "Without a limit"
        : `The limit was ${count(Math.min(...limits))} to ${count(Math.max(...limits))}`,
      [
        { label: "in flight", colour: "--cached", values: steps.map(({ inUse }) => inUse), isFilled: true },
        { label: "limit", colour: "--stale", values: steps.map(({ limit }) => limit), isStepped: true }
      ]
    ),
    figure(
      "Refused requests per second",
      refusedInAll === 0
        ? "The service has refused none"
        : `${count(refusedInAll)} in all: each was sent again later`,
      [
        {
          label: "refused per second",
          colour: "--failed",
          values: steps.map(({ refused }) => refused),
          isFilled: true
        }
      ]
    ),
    element(
      "details",
      element("summary", "The same as a table"),
      table(
        "How the job went",
        ["Time", "Texts per second", "In flight", "Limit", "Refused per second"],
        rows.map(({ at, inUse, limit, rate, refused }) => [
          clock(at),
          rounded(rate),
          inUse,
          limit ?? "none",
          rounded(refused)
        ]),
        true
      )
    )
  )
  return { root, refresh }
}
