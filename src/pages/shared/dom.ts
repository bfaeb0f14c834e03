/** Elements. Texts of the report go in as text, never as mark-up. */
import { count } from "./figures.js"

type Leaf = Node | string | undefined | false

/** A child of an element: `undefined` and `false` are none, lists are many. */
export type Child = Leaf | ReadonlyArray<Leaf>

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const isAttributes = (part: Attributes | Child): part is Attributes =>
  typeof part === "object" && !(part instanceof Node) && !Array.isArray(part)

/** An element, such as `p.about`, with attributes, if any (`undefined` and `false` are left out), and children. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  first?: Attributes | Child,
  ...others: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => {
  const [name, ...classes] = selector.split(".")
  const made = document.createElement(name as K)
  made.classList.add(...classes)
  const [attributes, children] = isAttributes(first) ? [first, others] : [{}, [first, ...others]]
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? "" : `${value}`)
  }
  fill(made, ...children)
  return made
}

/** Puts children in the place of those that an element has. */
export const fill = (parent: HTMLElement, ...children: ReadonlyArray<Child>): void =>
  parent.replaceChildren(...children.flat().filter((child) => child !== undefined && child !== false))

/** A button that does something. */
export const button = (label: Child, attributes: Attributes, onClick: () => void): HTMLButtonElement => {
  const made = element("button", { type: "button", ...attributes }, label)
  made.addEventListener("click", onClick)
  return made
}

/** A list of choices, the first of which is none. */
export const select = (
  label: string,
  all: string,
  choices: ReadonlyArray<string>,
  onChange: (choice: number | undefined) => void
): HTMLLabelElement => {
  const made = element(
    "select",
    element("option", { value: "" }, all),
    choices.map((choice, index) => element("option", { value: index }, choice))
  )
  made.addEventListener("change", () => onChange(made.value === "" ? undefined : Number(made.value)))
  return element("label", element("span.unseen", label), made)
}

/** A table. Cells that are numbers stand to the right. */
export const table = (
  caption: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Node | string | number | undefined>>,
  isHidden = false
): HTMLElement => {
  const cell = (value: Node | string | number | undefined, index: number) => {
    const shown = typeof value === "number" ? count(value) : value
    const text = (typeof shown === "string" ? shown : shown?.textContent) ?? ""
    const kind = typeof value === "number" ? "figure" : text.length > 36 ? "long" : undefined
    return index === 0
      ? element("th", { scope: "row", class: kind }, shown)
      : element("td", { class: kind }, shown)
  }
  const head = (text: string, index: number) =>
    element("th", { scope: "col", class: typeof rows[0]?.[index] === "number" ? "figure" : undefined }, text)
  return element(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": caption },
    element(
      "table",
      element("caption", { class: isHidden ? "unseen" : undefined }, caption),
      element("thead", element("tr", heads.map(head))),
      element(
        "tbody",
        rows.map((row) => element("tr", row.map(cell)))
      )
    )
  )
}

/** A figure of a list of figures (`dl`), with its label. */
export const figure = (value: string, label: string, kind?: string): HTMLElement =>
  element("div", { class: kind }, element("dt", label), element("dd", value))
