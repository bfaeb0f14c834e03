/** All texts beside their translations: searched, filtered, the failed ones first. */

import { button, element, select } from "../shared/dom.js"
import { count, plural, words } from "../shared/figures.js"
import { type Report, stateOf } from "./readReport.js"
import { type Finding, type Places, type State, states, type Unit } from "./reportData.js"
import * as textList from "./textList.js"
import { find, finder, marked, placesOf, type Range, type Term } from "./textMarks.js"

export const labels: Readonly<Record<State, string>> = {
  failed: "Failed",
  stale: "Outdated",
  flagged: "Looks wrong",
  translated: "Translated",
  cached: "Reused",
  skipped: "Kept"
}

const explanations: Readonly<Record<State, string>> = {
  failed: "Not translated",
  stale: "A person's translation of an earlier source",
  flagged: "Translated by the service now: look at it",
  translated: "Translated by the service now",
  cached: "From the store, or from an equal text: paid for once",
  skipped: "Not sent: blank, or translated by a person"
}

export const badge = (state: State | string, label: string, title?: string): HTMLElement =>
  element("span", { class: `badge ${state}`, title }, label)

/** The length of a text that is shown until more is asked for. */
const shownLength = 1200

const cut = (text: string): string => {
  const last = text.charCodeAt(shownLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? shownLength - 1 : shownLength)
}

const wrongIn = (
  findings: ReadonlyArray<Finding>,
  placesOf: (finding: Finding) => Places
): ReadonlyArray<Range> =>
  findings.flatMap((finding) =>
    placesOf(finding).map(([start, end]) => ({ start, end, kind: "finding" as const, title: finding[0] }))
  )

interface Filter {
  query: string
  state: State | undefined
  source: number | undefined
  targetLang: number | undefined
  kind: Kind | undefined
}

/** Reasons that differ in figures only, such as the id of a request. */
interface Kind {
  readonly tag: string
  readonly message: string
  texts: number
}

const kindsOf = ({ reasons, units }: Report) => {
  const kinds = new Map<string, Kind>()
  const ofReason = reasons.map(({ message, tag }) => {
    const told = message.replace(/ Trace id: \S+/, "")
    const name = `${tag} ${told.replace(/\d+/g, "0")}`
    const known = kinds.get(name) ?? { tag, message: told, texts: 0 }
    kinds.set(name, known)
    return known
  })
  for (const [, , , , , , , reason] of units) if (reason !== null) ofReason[reason]!.texts++
  return {
    ofReason,
    kinds: [...kinds.values()].sort((first, second) => second.texts - first.texts)
  }
}

/** The number of kinds that are told at once. */
const mostKinds = 5

export interface Texts {
  readonly root: HTMLElement
  /** The list was out of sight, or the window has changed. */
  readonly refresh: () => void
  readonly search: () => void
  /** Shows one file in one language. */
  readonly only: (source: number, targetLang: number) => void
}

export const make = (report: Report): Texts => {
  const { order, placeholder, reasons, report: job, sources, targetLangs, terms, units } = report
  const filter: Filter = {
    query: "",
    state: undefined,
    source: undefined,
    targetLang: undefined,
    kind: undefined
  }
  const { kinds, ofReason } = kindsOf(report)
  const expanded = new Set<Unit>()

  /** The searched texts: made when the search begins. */
  let haystack: ReadonlyArray<string> | undefined
  const searched = (): ReadonlyArray<string> => {
    haystack ??= units.map(([, , , key, , text, translation]) =>
      `${key}\n${text ?? ""}\n${translation ?? ""}`.normalize().toLowerCase()
    )
    return haystack
  }

  // Before the first key is pressed.
  setTimeout(searched, 50)

  let hit: RegExp | undefined

  const shownOf = (unit: Unit, text: string) =>
    text.length <= shownLength || expanded.has(unit) ? text : cut(text)

  const textOf = (
    unit: Unit,
    text: string,
    lang: string | undefined,
    terms: ReadonlyArray<Term>,
    wrong: ReadonlyArray<Range>
  ) => {
    const shown = shownOf(unit, text)
    const inside = wrong.filter(({ end }) => end <= shown.length)
    const made = element(
      "div.text",
      { dir: "auto", lang },
      marked(shown, [...find(shown, placeholder, terms, hit), ...inside])
    )
    if (shown === text) return [made]
    const more = button(
      `Show all ${count(text.length)} characters`,
      { class: "link", tabindex: "-1" },
      () => {
        expanded.add(unit)
        texts.refresh()
      }
    )
    return [made, more]
  }

  const translationOf = (unit: Unit): ReadonlyArray<Node> => {
    const [, , targetLang, , , text, translation, reason, findings = []] = unit
    const lang = targetLangs[targetLang]!
    const known = terms[targetLang]!
    const used =
      text === null ? [] : placesOf(shownOf(unit, text), known.source).map((place) => known.target[place]!)
    const translated =
      translation === null
        ? []
        : textOf(
            unit,
            translation,
            lang,
            used,
            wrongIn(findings, ([, , places]) => places)
          )
    if (reason === null) {
      const told = findings.map(([explanation]) => element("p.reason", explanation))
      return translated.length > 0 ? [...told, ...translated] : [...told, element("p.none", "No translation")]
    }
    const { message, tag } = reasons[reason]!
    const told = element("p.reason", element("strong", words(tag)), " ", message)
    // The output may hold the source in place of a translation.
    return translation === text ? [told] : [told, ...translated]
  }

  const sourceOf = (unit: Unit): ReadonlyArray<Node> => {
    const [, , targetLang, , , text, , , findings = []] = unit
    return text === null
      ? [element("p.none", stateOf(unit) === "failed" ? "It could not be read" : "No source")]
      : textOf(
          unit,
          text,
          job.sourceLang,
          terms[targetLang]!.source,
          wrongIn(findings, ([, places]) => places)
        )
  }

  const rowOf = (place: number): ReadonlyArray<Node> => {
    const unit = units[place]!
    const [, source, targetLang, key, line] = unit
    const state = stateOf(unit)
    const where = line === null ? sources[source]! : `${sources[source]}:${line}`
    return [
      element(
        "header",
        badge(state, labels[state], explanations[state]),
        element("span.lang", targetLangs[targetLang]!),
        element("span.key", { dir: "auto" }, marked(key, find(key, placeholder, [], hit))),
        element("span.where", { dir: "auto" }, marked(where, find(where, placeholder, [], undefined)))
      ),
      element("div.side", element("span.unseen", "Source: "), sourceOf(unit)),
      element("div.side", element("span.unseen", "Translation: "), translationOf(unit))
    ]
  }

  const found = element("p.found", { role: "status" })
  const bar = element("div.bar")
  const texts = textList.make("Texts", rowOf, () => bar.offsetHeight)

  const chips = new Map<
    State | undefined,
    { readonly root: HTMLButtonElement; readonly figure: HTMLElement }
  >()
  const reasonChip = button("", { class: "chip reset" }, () => {
    filter.kind = undefined
    apply()
  })

  const apply = () => {
    const query = filter.query.normalize().toLowerCase()
    hit = finder(filter.query)
    const hay = query === "" ? undefined : searched()
    const matching = new Uint32Array(order.length)
    const ofState = states.map(() => 0)
    const wanted = filter.state === undefined ? undefined : states.indexOf(filter.state)
    let length = 0
    for (const place of order) {
      const [state, source, targetLang, , , , , reason] = units[place]!
      if (filter.source !== undefined && source !== filter.source) continue
      if (filter.targetLang !== undefined && targetLang !== filter.targetLang) continue
      if (filter.kind !== undefined && (reason === null || ofReason[reason] !== filter.kind)) continue
      if (hay !== undefined && !hay[place]!.includes(query)) continue
      ofState[state]!++
      if (wanted === undefined || wanted === state) matching[length++] = place
    }
    for (const [state, { figure, root }] of chips) {
      root.setAttribute("aria-pressed", `${filter.state === state}`)
      figure.textContent = count(
        state === undefined ? ofState.reduce((sum, of) => sum + of) : ofState[states.indexOf(state)]!
      )
    }
    reasonChip.hidden = filter.kind === undefined
    if (filter.kind !== undefined) {
      const name = words(filter.kind.tag)
      reasonChip.textContent = `Only: ${name} ✕`
      reasonChip.setAttribute("aria-label", `No longer only: ${name}`)
    }
    found.textContent =
      length === units.length
        ? plural(length, "text")
        : length === 0
          ? "No text is found"
          : `${count(length)} of ${plural(units.length, "text")}`
    texts.show(matching.subarray(0, length))
  }

  const chip = (state: State | undefined, label: string) => {
    const figure = element("span.figure")
    const root = button(
      label,
      { class: `chip ${state ?? "all"}`, title: state && explanations[state] },
      () => {
        filter.state = filter.state === state ? undefined : state
        apply()
      }
    )
    root.append(" ", figure)
    chips.set(state, { root, figure })
    return root
  }

  const query = element("input", {
    type: "search",
    placeholder: "Search keys, sources and translations",
    "aria-label": "Search keys, sources and translations",
    "aria-keyshortcuts": "/",
    autocomplete: "off",
    spellcheck: "false"
  })
  query.addEventListener("input", () => {
    filter.query = query.value
    apply()
  })
  query.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return
    event.preventDefault()
    texts.focusFirst()
  })

  const present = states.filter((state) => units.some((unit) => stateOf(unit) === state))
  const languages = select("Language", "All languages", targetLangs, (choice) => {
    filter.targetLang = choice
    apply()
  })
  const files = select("File", "All files", sources, (choice) => {
    filter.source = choice
    apply()
  })
  bar.append(
    element("div.search", query, targetLangs.length > 1 && languages, sources.length > 1 && files),
    element(
      "div.chips",
      element(
        "div.states",
        { role: "group", "aria-label": "Outcomes of texts" },
        chip(undefined, "All"),
        present.map((state) => chip(state, labels[state]))
      ),
      reasonChip,
      found
    )
  )

  const omitted =
    report.omitted > 0 &&
    element("p.about", `${plural(report.omitted, "more text")} had no room in this page.`)
  const root = element("div.texts", whyFailed(), bar, omitted, texts.root)
  apply()

  return {
    root,
    refresh: () => texts.refresh(),
    search: () => {
      query.focus()
      query.select()
    },
    only: (source, targetLang) => {
      filter.source = source
      filter.targetLang = targetLang
      languages.querySelector("select")!.value = `${targetLang}`
      files.querySelector("select")!.value = `${source}`
      apply()
    }
  }

  function whyFailed(): HTMLElement | undefined {
    if (kinds.length === 0) return undefined
    const items = kinds.map((kind) =>
      element(
        "li",
        button(`Show ${plural(kind.texts, "text")}`, { class: "chip failed" }, () => {
          filter.kind = kind
          apply()
          bar.scrollIntoView()
        }),
        element("p", element("strong", words(kind.tag)), " ", kind.message)
      )
    )
    const rest = element(
      "details",
      element("summary", plural(items.length - mostKinds, "more reason")),
      element("ul", items.slice(mostKinds))
    )
    // The list is somewhere else then.
    rest.addEventListener("toggle", () => texts.refresh())
    return element(
      "section.why",
      { "aria-label": "Why texts have failed" },
      element("h3", "Why texts have failed"),
      element("ul", items.slice(0, mostKinds)),
      items.length > mostKinds && rest
    )
  }
}
