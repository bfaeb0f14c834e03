/** The page of the jobs: asks for the key, then for all jobs and workers once a second. */

import { button, count, element } from "../shared/dom.js"
import * as jobProgress from "../shared/jobProgress.js"
import type { Status, Worker } from "./api.js"
import * as api from "./api.js"
import * as jobDetails from "./jobDetails.js"
import * as jobList from "./jobList.js"
import * as statusText from "./statusText.js"
import * as workerList from "./workerList.js"

/** Milliseconds from one question to the next; more if answers take long. */
const interval = 1000

const sum = <A>(values: ReadonlyArray<A>, of: (value: A) => number) =>
  values.reduce((total, value) => total + of(value), 0)

const figures = (all: ReadonlyArray<Status>, machines: ReadonlyArray<Worker>): ReadonlyArray<Node> => {
  const figure = (value: string, label: string, kind?: string) =>
    element("div", { class: kind }, element("dt", {}, label), element("dd", {}, value))
  // Jobs that share a budget tell the same figures: those of the budget.
  const billed = Array.from(new Map(all.map((job) => [job.job.budgetName ?? job.id, job])).values())
  const total = (of: (job: Status) => { readonly least: number; readonly most: number } | undefined) => ({
    least: sum(billed, (job) => of(job)?.least ?? 0),
    most: sum(billed, (job) => of(job)?.most ?? 0)
  })
  const underWay = all.filter((job) => !statusText.isEnded(job)).length
  const alive = machines.filter(({ state }) => state !== "lost").length
  const failed = sum(all, jobProgress.failedTexts)
  return [
    figure(count(underWay), underWay === 1 ? "job under way" : "jobs under way"),
    figure(count(alive), alive === 1 ? "worker" : "workers"),
    figure(count(sum(machines, ({ inFlight }) => inFlight)), "batches in flight"),
    ...(failed === 0 ? [] : [figure(count(failed), "texts not translated", "failed")]),
    figure(
      statusText.range(
        total(({ characters }) => characters),
        count
      ),
      "characters billed"
    ),
    ...(all.some(({ cost }) => cost !== undefined)
      ? [
          figure(
            statusText.range(
              total(({ cost }) => cost),
              statusText.money
            ),
            "cost"
          )
        ]
      : [])
  ]
}

/** What is shown: all jobs, one of them, or the workers. */
const place = () => {
  const [, id] = /^#\/jobs\/(.+)$/.exec(location.hash) ?? []
  if (location.hash === "#/workers") return { view: "workers" } as const
  if (id === undefined) return { view: "jobs" } as const
  try {
    return { view: "job", id: decodeURIComponent(id) } as const
  } catch {
    return { view: "jobs" } as const
  }
}

const start = () => {
  const told = element("p", { class: "status", role: "status" })
  const trouble = element("p", { class: "trouble", role: "alert" })
  const totals = element("dl")
  const list = jobList.make((work) => act(work))
  const machines = workerList.make()
  const shown = element("div")
  let one: jobDetails.Job | undefined
  let known: { readonly all: ReadonlyArray<Status>; readonly machines: ReadonlyArray<Worker> } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  let heard = new Date()

  const links = [element("a", { href: "#/" }, "Jobs"), element("a", { href: "#/workers" }, "Workers")]
  const forget = button("Forget the key", { class: "chip" }, () => {
    api.key.forget()
    location.reload()
  })
  const input = element("input", {
    id: "key",
    type: "password",
    required: true,
    autocomplete: "current-password"
  })
  const form = element(
    "form",
    { class: "figures key" },
    // Managers of passwords ask for a name.
    element("input", { type: "text", value: "jobs", autocomplete: "username", hidden: true }),
    element("label", { for: "key" }, "Key of the server"),
    element(
      "div",
      { class: "search" },
      input,
      element("button", { type: "submit", class: "chip" }, "Show the jobs")
    ),
    element(
      "p",
      { class: "about" },
      "It is kept in this tab until the tab is closed, and sent to this server only."
    )
  )
  const inside = element(
    "div",
    {},
    element("section", { class: "figures", "aria-label": "In figures" }, totals),
    element("nav", { class: "tabs", "aria-label": "Parts of the page" }, ...links),
    shown
  )

  const draw = () => {
    if (known === undefined) return
    const now = place()
    totals.replaceChildren(...figures(known.all, known.machines))
    for (const [index, link] of links.entries()) {
      const isCurrent = index === (now.view === "workers" ? 1 : 0)
      if (isCurrent) link.setAttribute("aria-current", now.view === "job" ? "true" : "page")
      else link.removeAttribute("aria-current")
    }
    links[0]!.textContent = `Jobs ${count(known.all.length)}`
    links[1]!.textContent = `Workers ${count(known.machines.length)}`
    if (now.view !== "job") one = undefined
    else if (one?.id !== now.id) one = jobDetails.make(now.id, (work) => act(work))
    const view = now.view === "job" ? one! : now.view === "workers" ? machines : list
    if (shown.firstElementChild !== view.root) shown.replaceChildren(view.root)
    if (now.view === "job") one!.update(known.all.find(({ id }) => id === now.id))
    else if (now.view === "workers") machines.update(known.machines)
    else list.update(known.all)
    document.title = now.view === "job" ? `${now.id} · Jobs` : "Jobs"
  }

  const fail = (message: string) => {
    if (trouble.textContent !== message) trouble.textContent = message
    trouble.hidden = message === ""
  }

  const showForm = (message: string) => {
    clearTimeout(timer)
    api.key.forget()
    form.hidden = false
    inside.hidden = true
    forget.hidden = true
    fail(message)
    input.value = ""
    input.focus()
  }

  const ask = async () => {
    clearTimeout(timer)
    if (isAsking || api.key.get() === null) return
    isAsking = true
    const begun = performance.now()
    try {
      const [all, machines] = await Promise.all([api.list(), api.workers()])
      known = { all, machines }
      heard = new Date()
      form.hidden = true
      inside.hidden = false
      forget.hidden = false
      fail("")
      draw()
    } catch (error) {
      isAsking = false
      const { message, status } = error instanceof api.Refusal ? error : { message: `${error}`, status: 0 }
      if (status === 401) return showForm("The key was refused.")
      fail(`${message} What is shown is of ${heard.toLocaleTimeString()}. Trying again.`)
      if (known === undefined) form.hidden = false
    }
    isAsking = false
    timer = setTimeout(next, Math.max(interval, 4 * (performance.now() - begun)))
  }
  /** Nobody looks at a hidden page. */
  const next = () => {
    if (!document.hidden) void ask()
  }

  const act = async (work: () => Promise<string>) => {
    try {
      told.textContent = await work()
      told.className = "status"
    } catch (error) {
      told.textContent = (error as Error).message
      told.className = "status failed"
    }
    await ask()
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const key = input.value.trim()
    if (key === "") return
    api.key.set(key)
    void ask()
  })
  document.addEventListener("visibilitychange", next)
  window.addEventListener("hashchange", () => {
    draw()
    if (place().view === "job") one?.root.querySelector("h2")?.focus()
    window.scrollTo(0, 0)
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as Element).matches("input, textarea") || known === undefined)
      return
    event.preventDefault()
    location.hash = "#/"
    draw()
    list.search()
  })

  document.body.append(
    element(
      "header",
      { class: "top" },
      element("div", {}, element("p", { class: "about" }, "effect-translate"), element("h1", {}, "Jobs")),
      forget
    ),
    element("main", {}, trouble, form, inside),
    told
  )
  inside.hidden = true
  forget.hidden = true
  fail("")
  if (api.key.get() === null) showForm("")
  else {
    form.hidden = true
    void ask()
  }
}

document.addEventListener("DOMContentLoaded", start)
