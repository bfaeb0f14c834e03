/** The page of the jobs: asks for the key, then for jobs and workers once a second. */

import { button, type Child, element, figure, fill } from "../shared/dom.js"
import { count, money, type Range, range, sum } from "../shared/figures.js"
import * as jobProgress from "../shared/jobProgress.js"
import type { Page, Status, Worker } from "./api.js"
import * as api from "./api.js"
import * as jobDetails from "./jobDetails.js"
import * as jobList from "./jobList.js"
import * as pace from "./pace.js"
import * as workerList from "./workerList.js"

/** Milliseconds from one question to the next; more if answers take long. */
const interval = 1000

/** The data at a time. */
interface Known {
  readonly page: Page
  readonly machines: ReadonlyArray<Worker>
  /** The number of jobs, listed or not. */
  readonly counts: Page["counts"]
  /** True if all of them are listed. */
  readonly isWhole: boolean
  /** The job that is shown alone, if there is one; it need not be listed. */
  readonly one: { readonly id: string; readonly job: Status | undefined } | undefined
}

const figures = ({ counts, isWhole, machines, page: { jobs: all } }: Known): ReadonlyArray<Child> => {
  const of = isWhole ? "" : ", jobs listed"
  // Jobs that share a budget tell the same figures: those of the budget.
  const billed = Array.from(new Map(all.map((job) => [job.job.budgetName ?? job.id, job])).values())
  const total = (of: (job: Status) => Partial<Range> | undefined, show: (value: number) => string) => {
    const [least, most] = [
      sum(billed, (job) => of(job)?.least ?? 0),
      sum(billed, (job) => of(job)?.most ?? 0)
    ]
    return range({ least, most }, show)
  }
  const { underWay } = counts
  const perSecond = sum(all, (job) => pace.perSecond(job) ?? 0)
  const alive = machines.filter(({ state }) => state !== "lost").length
  const failed = sum(all, jobProgress.failedTexts)
  return [
    figure(count(underWay), underWay === 1 ? "job under way" : "jobs under way"),
    figure(count(alive), alive === 1 ? "worker" : "workers"),
    figure(count(sum(machines, ({ inFlight }) => inFlight)), "requests in flight"),
    perSecond > 0 && figure(pace.rate(perSecond), "texts a second"),
    failed > 0 && figure(count(failed), `texts not translated${of}`, "failed"),
    figure(
      total(({ characters }) => characters, count),
      `characters billed${of}`
    ),
    all.some(({ cost }) => cost !== undefined) &&
      figure(
        total(({ cost }) => cost, money),
        `cost${of}`
      )
  ]
}

/** The shown place: all jobs, one of them, or the workers. */
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
  const told = element("p.status", { role: "status" })
  const trouble = element("p.trouble", { role: "alert" })
  const totals = element("dl")
  const list = jobList.make(
    (work) => act(work),
    () => void ask()
  )
  const machines = workerList.make()
  const shown = element("div")
  let one: jobDetails.Job | undefined
  let known: Known | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  /** Something else was asked for meanwhile. */
  let isStale = false
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
    "form.figures.key",
    // Managers of passwords ask for a name.
    element("input", { type: "text", value: "jobs", autocomplete: "username", hidden: true }),
    element("label", { for: "key" }, "Key of the server"),
    element("div.search", input, element("button", { type: "submit", class: "chip" }, "Show the jobs")),
    element("p.about", "It is kept in this tab until the tab is closed, and sent to this server only.")
  )
  const inside = element(
    "div",
    element("section.figures", { "aria-label": "In figures" }, totals),
    element("nav.tabs", { "aria-label": "Parts of the page" }, ...links),
    shown
  )

  const draw = () => {
    if (known === undefined) return
    const now = place()
    fill(totals, ...figures(known))
    for (const [index, link] of links.entries()) {
      const isCurrent = index === (now.view === "workers" ? 1 : 0)
      if (isCurrent) link.setAttribute("aria-current", now.view === "job" ? "true" : "page")
      else link.removeAttribute("aria-current")
    }
    links[0]!.textContent = `Jobs ${count(known.counts.all)}`
    links[1]!.textContent = `Workers ${count(known.machines.length)}`
    if (now.view !== "job") one = undefined
    else if (one?.id !== now.id) one = jobDetails.make(now.id, (work) => act(work))
    const view = now.view === "job" ? one! : now.view === "workers" ? machines : list
    if (shown.firstElementChild !== view.root) shown.replaceChildren(view.root)
    const { one: asked, page } = known
    if (now.view === "workers") machines.update(known.machines)
    else if (now.view === "jobs") list.update(page)
    else {
      const listed = page.jobs.find(({ id }) => id === now.id)
      if (asked?.id === now.id) one!.update(asked.job)
      else if (listed !== undefined) one!.update(listed)
    }
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
    if (api.key.get() === null) return
    if (isAsking) {
      isStale = true
      return
    }
    isAsking = true
    isStale = false
    const begun = performance.now()
    try {
      const now = place()
      const isOfAll = list.isWhole()
      const [page, machines] = await Promise.all([api.list(list.query()), api.workers()])
      const isWhole = isOfAll && page.next === undefined
      const listed = now.view === "job" ? page.jobs.find(({ id }) => id === now.id) : undefined
      const other =
        now.view === "job" && listed === undefined && !isWhole ? await api.status(now.id) : undefined
      pace.take(other === undefined ? page.jobs : [...page.jobs, other])
      known = {
        page,
        machines,
        counts: isOfAll ? page.counts : (known?.counts ?? page.counts),
        isWhole,
        one: now.view === "job" ? { id: now.id, job: listed ?? other } : undefined
      }
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
    if (isStale) return ask()
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
    void ask()
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
      "header.top",
      element("div", element("p.about", "effect-translate"), element("h1", "Jobs")),
      forget
    ),
    element("main", trouble, form, inside),
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
