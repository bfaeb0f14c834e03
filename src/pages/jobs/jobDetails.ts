/** One job: its progress, the counts of its texts by language, and its failures. */

import { button, element, figure, fill, table } from "../shared/dom.js"
import { count, money, range, span, words } from "../shared/figures.js"
import * as jobProgress from "../shared/jobProgress.js"
import * as actions from "./actions.js"
import type { Status } from "./api.js"
import * as api from "./api.js"
import * as jobList from "./jobList.js"
import * as pace from "./pace.js"
import * as statusText from "./statusText.js"

export interface Job {
  readonly id: string
  readonly root: HTMLElement
  /** `undefined`: there is no such job. */
  readonly update: (job: Status | undefined) => void
}

/** The number of failures that are shown at first; more are shown on demand. */
const page = 100

const makeFacts = () => {
  const root = element("dl")
  const fact = (name: string, value: string | undefined) => value !== undefined && figure(value, name)
  const update = (job: Status) => {
    const { characters, cost, endedAt, startedAt, submittedAt } = job
    const [perSecond, left] = [pace.perSecond(job), pace.left(job)]
    fill(
      root,
      fact("characters billed", range(characters, count)),
      fact("cost", cost && range(cost, money)),
      fact("texts a second", perSecond === undefined ? undefined : pace.rate(perSecond)),
      fact("left, about", left === undefined ? undefined : span(left)),
      fact(
        "since its start",
        startedAt && span((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt))
      ),
      fact("submitted", statusText.time(submittedAt)),
      fact("ended", endedAt && statusText.time(endedAt))
    )
  }
  return { root, update }
}

const makeFailures = (id: string) => {
  let limit = page
  let asked = ""
  const root = element("div.failed-texts")
  const draw = ({ error, failures, isWhole }: api.Failures) => {
    fill(
      root,
      table(
        "Texts that were not translated",
        ["Source", "Line", "Key", "Language", "Why", "Message"],
        failures.map(({ key, line, message, source, tag, targetLang }) => [
          source,
          line ?? "",
          key,
          targetLang,
          words(tag),
          message
        ])
      ),
      error !== undefined && element("p.reason.failed", error),
      !isWhole &&
        error === undefined &&
        button(`Show ${count(9 * limit)} more`, { class: "chip more" }, () => {
          limit *= 10
          void ask()
        })
    )
  }
  const ask = async () => {
    try {
      draw(await api.failures(id, limit))
    } catch (error) {
      root.replaceChildren(element("p.reason.failed", (error as Error).message))
      asked = ""
    }
  }
  const update = (job: Status) => {
    const failed = jobProgress.failedTexts(job)
    const now = `${job.generation} ${failed} ${job.state}`
    if (now === asked) return
    asked = now
    if (failed === 0) root.replaceChildren()
    else void ask()
  }
  return { root, update }
}

const languages = (job: Status): HTMLElement => {
  const isFlagged = jobProgress.flaggedTexts(job) > 0
  return table(
    "Texts by language",
    ["Language", "Translated", "Reused", "Kept", "Failed", ...(isFlagged ? ["Look wrong"] : [])],
    job.targets.map(({ cached, failed, flagged = 0, skipped, targetLang, translated }) => [
      targetLang,
      translated,
      cached,
      skipped,
      failed,
      ...(isFlagged ? [flagged] : [])
    ])
  )
}

export const make = (id: string, act: actions.Do): Job => {
  const state = element("span")
  const about = element("p.about")
  const bar = jobList.progress(id)
  const reason = element("p.reason")
  const facts = makeFacts()
  const buttons = actions.make(id, act)
  const tables = element("div")
  const failures = makeFailures(id)
  const json = element("pre", { tabindex: 0, role: "group", "aria-label": "The job as JSON" })
  const heading = element("h2", { tabindex: -1 }, id)
  const whole = element(
    "div",
    element(
      "div.figures",
      element("div.head", heading, state),
      about,
      buttons.root,
      bar.root,
      reason,
      facts.root
    ),
    tables,
    failures.root,
    element("details", element("summary", "As it was submitted"), json)
  )
  const gone = element("p.none", `There is no job ${id}.`)
  let shown: Status | undefined
  let drawn = ""
  // Until it is known whether there is such a job.
  whole.hidden = true
  gone.hidden = true
  return {
    id,
    root: element(
      "section.one",
      { "aria-label": `Job ${id}` },
      element("p", element("a.link", { href: "#/" }, "All jobs")),
      whole,
      gone
    ),
    update: (job) => {
      whole.hidden = job === undefined
      gone.hidden = job !== undefined
      if (job === undefined) return
      facts.update(job)
      if (shown === job) return
      shown = job
      state.replaceChildren(jobList.badge(job))
      about.textContent = `${job.job.corpus.kind} into ${statusText.languages(job)}${job.generation > 1 ? `, generation ${job.generation}` : ""}`
      bar.update(job)
      const why = statusText.reason(job)
      reason.hidden = why === undefined
      reason.className = `reason ${job.state}`
      reason.textContent = why ?? ""
      buttons.update(job)
      // Not while nothing changes: it may be scrolled, or read.
      const now = JSON.stringify([job.targets, job.job])
      if (now !== drawn) {
        tables.replaceChildren(languages(job))
        json.textContent = JSON.stringify(job.job, null, 2)
        drawn = now
      }
      failures.update(job)
    }
  }
}
