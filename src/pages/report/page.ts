/** The page of a report: the end of the job, and tabs with the texts, the languages, the files and the timeline. */

import { button, element } from "../shared/dom.js"
import * as figures from "./figures.js"
import * as fileList from "./fileList.js"
import { readReport } from "./readReport.js"
import * as textsTab from "./textsTab.js"
import * as timeline from "./timeline.js"

interface Tab {
  readonly name: string
  readonly root: HTMLElement
  readonly refresh?: (() => void) | undefined
}

/** Tabs, of which the arrow keys choose one. */
const tabsOf = (tabs: ReadonlyArray<Tab>) => {
  const heads = tabs.map(({ name }, index) =>
    button(name, { role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}` }, () => choose(index))
  )
  const panels = tabs.map(({ name, root }, index) =>
    element(
      "section",
      { role: "tabpanel", id: `panel-${index}`, "aria-labelledby": `tab-${index}` },
      element("h2", name),
      root
    )
  )
  const choose = (chosen: number) => {
    for (const [index, head] of heads.entries()) {
      head.setAttribute("aria-selected", `${index === chosen}`)
      head.tabIndex = index === chosen ? 0 : -1
      panels[index]!.hidden = index !== chosen
    }
    tabs[chosen]!.refresh?.()
  }
  const bar = element("div.tabs", { role: "tablist", "aria-label": "Parts of the report" }, heads)
  bar.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const next = (heads.findIndex((head) => head.tabIndex === 0) + step + heads.length) % heads.length
    choose(next)
    heads[next]!.focus()
  })
  choose(0)
  return { bar, panels, choose }
}

const themeButton = (onChange: () => void): HTMLButtonElement => {
  const { documentElement } = document
  const isDark = () =>
    documentElement.dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : documentElement.dataset.theme === "dark"
  const name = () => {
    made.textContent = isDark() ? "Light" : "Dark"
    made.setAttribute("aria-label", `Change to ${isDark() ? "light" : "dark"} colours`)
  }
  const made = button("", { class: "chip theme" }, () => {
    documentElement.dataset.theme = isDark() ? "light" : "dark"
    name()
    onChange()
  })
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    name()
    onChange()
  })
  name()
  return made
}

const start = () => {
  const read = readReport()
  const plots = timeline.make(read.samples)
  const all = textsTab.make(read)
  const outputs = fileList.make(read, (source, targetLang) => {
    tabs.choose(0)
    all.only(source, targetLang)
  })
  const tabs = tabsOf([
    { name: "Texts", root: all.root, refresh: all.refresh },
    { name: "Languages", root: figures.languages(read) },
    { name: "Files", root: outputs },
    { name: "Timeline", root: plots.root, refresh: plots.refresh }
  ])
  document.body.append(
    element("header.top", element("div", figures.heading(read)), themeButton(plots.refresh)),
    element("main", figures.figures(read), tabs.bar, tabs.panels),
    element(
      "footer",
      `Made by effect-translate ${read.version}. This page holds texts: mind whom you give it to.`
    )
  )
  all.refresh()
  window.addEventListener("resize", plots.refresh)
  document.addEventListener("keydown", (event) => {
    const target = event.target as Element
    if (event.key !== "/" || target.matches("input, select, textarea")) return
    event.preventDefault()
    tabs.choose(0)
    all.search()
  })
}

document.addEventListener("DOMContentLoaded", start)
