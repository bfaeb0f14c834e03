/** Jobs: some of all, as the server has them, and a hundred more on demand. Rows stay, and change in place. */

import { button, element, fill } from "../shared/dom.js"
import { count, money, plural, range } from "../shared/figures.js"
import { failedTexts, flaggedTexts, share } from "../shared/jobProgress.js"
import * as actions from "./actions.js"
import type { Page, Query, Status } from "./api.js"
import * as api from "./api.js"
import * as confirm from "./confirm.js"
import * as pace from "./pace.js"
import * as statusText from "./statusText.js"

/** The number of rows that are shown at once, and at most, as the server gives them. */
const [step, largest] = [100, 1000]

export interface Progress {
  readonly root: HTMLElement
  readonly update: (job: Status) => void
}

/** A bar, and the same in words. */
export const progress = (id: string): Progress => {
  const filled = element("span")
  const bar = element("div.progress", { role: "progressbar", "aria-label": `Progress of ${id}` }, filled)
  const told = element("p.told")
  return {
    root: element("div.how-far", bar, told),
    update: (job) => {
      const done = share(job)
      const percent = done === undefined ? undefined : Math.floor(done * 100)
      const text = statusText.done(job)
      const failed = failedTexts(job)
      const flagged = flaggedTexts(job)
      filled.style.width = `${percent ?? 0}%`
      if (percent === undefined) bar.removeAttribute("aria-valuenow")
      else bar.setAttribute("aria-valuenow", `${percent}`)
      bar.setAttribute("aria-valuetext", text)
      bar.className = `progress ${job.state}`
      fill(
        told,
        percent === undefined ? text : `${percent} %, ${text}`,
        failed > 0 && [", ", element("strong.failures", `${plural(failed, "text")} not translated`)],
        flagged > 0 && `, ${flagged === 1 ? "1 looks" : `${count(flagged)} look`} wrong`
      )
    }
  }
}

/** The state of a job. */
export const badge = (job: Status): HTMLElement =>
  element("span", { class: `badge ${job.state}` }, statusText.states[job.state] ?? job.state)

interface Row {
  readonly root: HTMLElement
  readonly update: (job: Status) => void
}

const makeRow = (id: string, act: actions.Do): Row => {
  const state = element("span")
  const about = element("span.about")
  const bar = progress(id)
  const reason = element("p.reason")
  const figures = element("p.about.figure")
  const buttons = actions.make(id, act)
  let shown: Status | undefined
  let toldPace = ""
  return {
    root: element(
      "li.job",
      element(
        "div.head",
        element("a.link.id", { href: `#/jobs/${encodeURIComponent(id)}` }, id),
        state,
        about
      ),
      buttons.root,
      bar.root,
      reason,
      figures
    ),
    update: (job) => {
      const going = pace.told(job)
      if (shown === job && going.join() === toldPace) return
      shown = job
      toldPace = going.join()
      state.replaceChildren(badge(job))
      about.textContent = `into ${statusText.languages(job)}${job.generation > 1 ? `, generation ${job.generation}` : ""}`
      bar.update(job)
      const why = statusText.reason(job)
      reason.hidden = why === undefined
      reason.className = `reason ${job.state}`
      reason.textContent = why ?? ""
      figures.textContent = [
        ...going,
        `${range(job.characters, count)} characters billed`,
        ...(job.cost === undefined ? [] : [`cost ${range(job.cost, money)}`]),
        `submitted ${statusText.time(job.submittedAt)}`
      ].join("  ·  ")
      buttons.update(job)
    }
  }
}

const underWay = ["submitted", "running", "paused", "waiting", "cancelling"] as const
const ended = ["done", "failed", "cancelled"] as const

const filters: ReadonlyArray<
  Pick<Query, "hasFailures" | "states"> & {
    readonly name: string
    readonly count: (counts: Page["counts"]) => number
  }
> = [
  { name: "All", count: ({ all }) => all },
  { name: "Under way", states: underWay, count: (counts) => counts.underWay },
  { name: "Ended", states: ended, count: (counts) => counts.ended },
  { name: "With failures", hasFailures: true, count: ({ withFailures }) => withFailures }
]

export interface Jobs {
  readonly root: HTMLElement
  /** The query for the jobs. */
  readonly query: () => Query
  /** True if only jobs beyond the limit are left out. */
  readonly isWhole: () => boolean
  readonly update: (page: Page) => void
  readonly search: () => void
}

/** Makes the list; `refresh` asks for the jobs of `query`. */
export const make = (act: actions.Do, refresh: () => void): Jobs => {
  let page: Page = { jobs: [], counts: { all: 0, underWay: 0, ended: 0, withFailures: 0 } }
  let chosen = 0
  let most = step
  const rows = new Map<string, Row>()
  const list = element("ul.jobs", { "aria-label": "Jobs" })
  const none = element("p.none")
  const found = element("p.found")
  const prefix = () => input.value.trim()

  const draw = () => {
    const { counts, jobs, next } = page
    for (const [index, chip] of chips.entries()) {
      chip.setAttribute("aria-pressed", `${index === chosen}`)
      chip.lastElementChild!.textContent = ` ${count(filters[index]!.count(counts))}`
    }
    const kept = new Set(jobs.map(({ id }) => id))
    for (const [id, row] of rows) {
      if (kept.has(id)) continue
      row.root.remove()
      rows.delete(id)
    }
    let after = list.firstElementChild
    for (const job of jobs) {
      const row = rows.get(job.id) ?? makeRow(job.id, act)
      rows.set(job.id, row)
      row.update(job)
      if (row.root === after) after = row.root.nextElementSibling
      else list.insertBefore(row.root, after)
    }
    const fitting = filters[chosen]!.count(counts)
    list.hidden = jobs.length === 0
    none.hidden = jobs.length > 0
    none.textContent =
      counts.all === 0 && prefix() === ""
        ? "There are no jobs: submit one, and it is listed here."
        : "No job is like that."
    found.textContent = plural(fitting, "job")
    more.hidden = next === undefined || most >= largest
    more.textContent = `Show ${count(Math.min(step, fitting - jobs.length))} more of ${plural(fitting, "job")}`
    purge.hidden = counts.ended === 0
  }

  const choose = (index: number) => {
    chosen = index
    most = step
    draw()
    refresh()
  }
  const chips = filters.map(({ name }, index) =>
    button(element("span", name), { class: "chip" }, () => choose(index))
  )
  for (const chip of chips) chip.append(element("span.figure"))
  const input = element("input", {
    type: "search",
    placeholder: "Find a job by how its name begins",
    "aria-label": "Find a job"
  })
  input.addEventListener("input", () => choose(chosen))
  const more = button("", { class: "chip more" }, () => {
    most = Math.min(largest, most + step)
    refresh()
  })
  const purge = button("Remove ended jobs", { class: "chip" }, async () => {
    const isWanted = await confirm.ask({
      title: "Remove all jobs that have ended?",
      about: "What is known of them is lost: states, figures and failures. Translations stay in the store.",
      yes: "Remove ended jobs",
      no: "Keep them"
    })
    if (isWanted) await act(async () => `${plural(await api.removeEnded(), "generation")} removed.`)
  })

  return {
    root: element(
      "section",
      { "aria-label": "Jobs" },
      element(
        "div.tools",
        element("div.chips", { role: "group", "aria-label": "Which jobs" }, ...chips),
        input,
        found
      ),
      list,
      none,
      element("div.after", more, purge)
    ),
    query: () => {
      const { hasFailures, states } = filters[chosen]!
      return { hasFailures, states, prefix: prefix(), limit: most }
    },
    isWhole: () => chosen === 0 && prefix() === "",
    update: (given) => {
      // An equal value stays the same object, and is not drawn again.
      const before = new Map(page.jobs.map((job) => [job.id, job]))
      page =
        given === page
          ? page
          : {
              ...given,
              jobs: given.jobs.map((job) => {
                const known = before.get(job.id)
                return known !== undefined && JSON.stringify(known) === JSON.stringify(job) ? known : job
              })
            }
      draw()
    },
    search: () => input.focus()
  }
}
