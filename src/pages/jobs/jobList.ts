/** All jobs: filtered, searched, and a hundred at once. Rows stay, and change in place. */

import { button, count, element, plural } from "../shared/dom.js"
import { failedTexts, share } from "../shared/jobProgress.js"
import * as actions from "./actions.js"
import type { Status } from "./api.js"
import * as api from "./api.js"
import * as confirm from "./confirm.js"
import * as statusText from "./statusText.js"

/** So many rows are shown at once. */
const page = 100

export interface Progress {
  readonly root: HTMLElement
  readonly update: (job: Status) => void
}

/** A bar, and the same in words. */
export const progress = (id: string): Progress => {
  const filled = element("span")
  const bar = element(
    "div",
    { class: "progress", role: "progressbar", "aria-label": `Progress of ${id}` },
    filled
  )
  const told = element("p", { class: "told" })
  return {
    root: element("div", { class: "how-far" }, bar, told),
    update: (job) => {
      const done = share(job)
      const percent = done === undefined ? undefined : Math.floor(done * 100)
      const text = statusText.done(job)
      const failed = failedTexts(job)
      filled.style.width = `${percent ?? 0}%`
      if (percent === undefined) bar.removeAttribute("aria-valuenow")
      else bar.setAttribute("aria-valuenow", `${percent}`)
      bar.setAttribute("aria-valuetext", text)
      bar.className = `progress ${job.state}`
      told.replaceChildren(
        percent === undefined ? text : `${percent} %, ${text}`,
        ...(failed === 0
          ? []
          : [", ", element("strong", { class: "failures" }, `${plural(failed, "text")} not translated`)])
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
  const about = element("span", { class: "about" })
  const bar = progress(id)
  const reason = element("p", { class: "reason" })
  const figures = element("p", { class: "about figure" })
  const buttons = actions.make(id, act)
  let shown: Status | undefined
  return {
    root: element(
      "li",
      { class: "job" },
      element(
        "div",
        { class: "head" },
        element("a", { class: "link id", href: `#/jobs/${encodeURIComponent(id)}` }, id),
        state,
        about
      ),
      buttons.root,
      bar.root,
      reason,
      figures
    ),
    update: (job) => {
      if (shown === job) return
      shown = job
      state.replaceChildren(badge(job))
      about.textContent = `into ${statusText.languages(job)}${job.generation > 1 ? `, generation ${job.generation}` : ""}`
      bar.update(job)
      const why = statusText.reason(job)
      reason.hidden = why === undefined
      reason.className = `reason ${job.state}`
      reason.textContent = why ?? ""
      figures.textContent = [
        `${statusText.range(job.characters, count)} characters billed`,
        ...(job.cost === undefined ? [] : [`cost ${statusText.range(job.cost, statusText.money)}`]),
        `submitted ${statusText.time(job.submittedAt)}`
      ].join("  ·  ")
      buttons.update(job)
    }
  }
}

const filters: ReadonlyArray<{ readonly name: string; readonly fits: (job: Status) => boolean }> = [
  { name: "All", fits: () => true },
  { name: "Under way", fits: (job) => !statusText.isEnded(job) },
  { name: "Ended", fits: statusText.isEnded },
  { name: "With failures", fits: (job) => job.state === "failed" || failedTexts(job) > 0 }
]

export interface Jobs {
  readonly root: HTMLElement
  readonly update: (jobs: ReadonlyArray<Status>) => void
  readonly search: () => void
}

export const make = (act: actions.Do): Jobs => {
  let jobs: ReadonlyArray<Status> = []
  let chosen = 0
  let most = page
  const rows = new Map<string, Row>()
  const list = element("ul", { class: "jobs", "aria-label": "Jobs" })
  const none = element("p", { class: "none" })
  const found = element("p", { class: "found" })

  const draw = () => {
    const wanted = input.value.trim().toLowerCase()
    const fitting = jobs.filter((job) => filters[chosen]!.fits(job) && job.id.toLowerCase().includes(wanted))
    const shown = fitting.slice(0, most)
    for (const [index, chip] of chips.entries()) {
      chip.setAttribute("aria-pressed", `${index === chosen}`)
      chip.lastElementChild!.textContent = ` ${count(jobs.filter(filters[index]!.fits).length)}`
    }
    const kept = new Set(shown.map(({ id }) => id))
    for (const [id, row] of rows) {
      if (kept.has(id)) continue
      row.root.remove()
      rows.delete(id)
    }
    let next = list.firstElementChild
    for (const job of shown) {
      const row = rows.get(job.id) ?? makeRow(job.id, act)
      rows.set(job.id, row)
      row.update(job)
      if (row.root === next) next = row.root.nextElementSibling
      else list.insertBefore(row.root, next)
    }
    list.hidden = shown.length === 0
    none.hidden = shown.length > 0
    none.textContent =
      jobs.length === 0 ? "There are no jobs: submit one, and it is listed here." : "No job is like that."
    found.textContent = plural(fitting.length, "job")
    more.hidden = fitting.length <= most
    more.textContent = `Show ${count(Math.min(page, fitting.length - most))} more of ${plural(fitting.length, "job")}`
    purge.hidden = !jobs.some(statusText.isEnded)
  }

  const choose = (index: number) => {
    chosen = index
    most = page
    draw()
  }
  const chips = filters.map(({ name }, index) =>
    button(element("span", {}, name), { class: "chip" }, () => choose(index))
  )
  for (const chip of chips) chip.append(element("span", { class: "figure" }))
  const input = element("input", { type: "search", placeholder: "Find a job", "aria-label": "Find a job" })
  input.addEventListener("input", () => choose(chosen))
  const more = button("", { class: "chip more" }, () => {
    most += page
    draw()
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
        "div",
        { class: "tools" },
        element("div", { class: "chips", role: "group", "aria-label": "Which jobs" }, ...chips),
        input,
        found
      ),
      list,
      none,
      element("div", { class: "after" }, more, purge)
    ),
    update: (given) => {
      if (given === jobs && rows.size > 0) return
      // What is the same stays the same object, and is not drawn again.
      const before = new Map(jobs.map((job) => [job.id, job]))
      jobs = given.map((job) => {
        const known = before.get(job.id)
        return known !== undefined && JSON.stringify(known) === JSON.stringify(job) ? known : job
      })
      draw()
    },
    search: () => input.focus()
  }
}
