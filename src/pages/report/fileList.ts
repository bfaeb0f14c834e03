/** The files that were written, and those that were not. */
import { button, element, table } from "../shared/dom.js"
import { count, plural, words } from "../shared/figures.js"
import type { Report } from "./readReport.js"
import { badge } from "./textsTab.js"

type Output = Report["report"]["outputs"][number]

/** The most urgent first. */
const states: ReadonlyArray<Output["state"]> = [
  "failed",
  "unfinished",
  "withheld",
  "partial",
  "written",
  "unchanged"
]

const labels: Readonly<Record<Output["state"], string>> = {
  failed: "Failed",
  unfinished: "Unfinished",
  withheld: "Withheld",
  partial: "Partial",
  written: "Written",
  unchanged: "Unchanged"
}

const explanations: Readonly<Record<Output["state"], string>> = {
  failed: "It was not written",
  unfinished: "The job has ended before it was whole",
  withheld: "Texts have failed: it was not written, as it is not whole",
  partial: "It is written, and holds the source in place of texts that have failed",
  written: "It is written, and whole",
  unchanged: "It was right already, and is as it was"
}

/** The number of files that are listed until more are asked for. */
const shown = 200

/** `only` shows the texts of a file in a language. */
export const make = (report: Report, only: (source: number, targetLang: number) => void): HTMLElement => {
  const { sources, targetLangs } = report
  const outputs = [...report.report.outputs].sort(
    (first, second) => states.indexOf(first.state) - states.indexOf(second.state)
  )
  const row = ({ error, output, source, stale, state, tally, targetLang }: Output) => {
    const place = [sources.indexOf(source), targetLangs.indexOf(targetLang)] as const
    const name = output ?? source
    return [
      place.includes(-1)
        ? element("span", { dir: "auto" }, name)
        : button(element("span", { dir: "auto" }, name), { class: "link", title: "Show its texts" }, () =>
            only(...place)
          ),
      element("span", badge(state, labels[state], explanations[state])),
      targetLang,
      element("span", { dir: "auto" }, source),
      tally.in,
      tally.failed,
      stale.length,
      error === undefined
        ? ["written", "unchanged"].includes(state)
          ? ""
          : explanations[state]
        : element("span", element("strong", words(error.tag)), " ", error.message)
    ]
  }
  const root = element("div")
  const draw = (most: number) => {
    const heads = ["Output", "State", "Language", "Source", "Texts", "Failed", "Outdated", "What to know"]
    root.replaceChildren(
      table(plural(outputs.length, "output"), heads, outputs.slice(0, most).map(row), true)
    )
    if (most < outputs.length) {
      root.append(button(`Show all ${count(outputs.length)}`, { class: "link" }, () => draw(outputs.length)))
    }
  }
  draw(shown)
  return root
}
