/** The machines that translate, and their work. */
import { element, table } from "../shared/dom.js"
import { span } from "../shared/figures.js"
import type { Worker } from "./api.js"
import * as statusText from "./statusText.js"

const states: Readonly<Record<string, string>> = { running: "Running", draining: "Draining", lost: "Lost" }

const badge = ({ state }: Worker) =>
  element(
    "span",
    { class: `badge ${state === "running" ? "running" : state === "lost" ? "failed" : "paused"}` },
    states[state] ?? state
  )

export interface Workers {
  readonly root: HTMLElement
  readonly update: (workers: ReadonlyArray<Worker>) => void
}

export const make = (): Workers => {
  const root = element("section", { "aria-label": "Workers" })
  return {
    root,
    update: (workers) => {
      const isFocused = root.contains(document.activeElement)
      root.replaceChildren(
        workers.length === 0
          ? element("p.none", "There are no workers: nothing is translated until one is started.")
          : table(
              "Machines that translate",
              ["Address", "State", "Batches in flight", "Up for", "Last heard of", "Version"],
              workers.map((worker) => [
                worker.address,
                badge(worker),
                worker.inFlight,
                span(Date.parse(worker.seenAt) - Date.parse(worker.startedAt)),
                statusText.time(worker.seenAt),
                worker.version
              ])
            )
      )
      if (isFocused) root.querySelector<HTMLElement>("[tabindex]")?.focus()
    }
  }
}
