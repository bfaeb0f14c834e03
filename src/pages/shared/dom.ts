/** Elements. What comes from the report goes in as text, never as mark-up. */

export type Child = Node | string | undefined

/** An element with attributes (`undefined` and `false` are left out) and children. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? "" : `${value}`)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** A button that does something. */
export const button = (
  label: Child,
  attributes: Readonly<Record<string, string | boolean | undefined>>,
  onClick: () => void
): HTMLButtonElement => {
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
    {},
    element("option", { value: "" }, all),
    ...choices.map((choice, index) => element("option", { value: index }, choice))
  )
  made.addEventListener("change", () => onChange(made.value === "" ? undefined : Number(made.value)))
  return element("label", {}, element("span", { class: "unseen" }, label), made)
}

/** A table. Cells that are numbers stand to the right. */
export const table = (
  caption: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Child | number>>,
  isHidden = false
): HTMLElement => {
  const cell = (value: Child | number, index: number) => {
    const shown = typeof value === "number" ? count(value) : value
    const text = (typeof shown === "string" ? shown : shown?.textContent) ?? ""
    const kind = typeof value === "number" ? "figure" : text.length > 36 ? "long" : undefined
    return index === 0
      ? element("th", { scope: "row", class: kind }, shown)
      : element("td", { class: kind }, shown)
  }
  const isFigure = (index: number) => typeof rows[0]?.[index] === "number"
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", { class: isHidden ? "unseen" : undefined }, caption),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...heads.map((head, index) =>
            element("th", { scope: "col", class: isFigure(index) ? "figure" : undefined }, head)
          )
        )
      ),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell))))
    )
  )
}

/** A figure with its thousands apart. */
export const count = (value: number): string => value.toLocaleString("en")

/** "1 text", "2 texts". */
export const plural = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`

/** "Placeholder lost", of `PlaceholderLost`. */
export const words = (tag: string): string => {
  const apart = tag.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()
  return apart.charAt(0).toUpperCase() + apart.slice(1)
}
