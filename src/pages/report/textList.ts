/** A list of which only the visible part is in the page: a feed, whose articles the arrow keys go through. */
import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll
} from "@tanstack/virtual-core"
import { element } from "../shared/dom.js"

export interface List {
  readonly root: HTMLElement
  /** Shows other items, from the first on. */
  readonly show: (items: ArrayLike<number>) => void
  /** Shows the same items anew. */
  readonly refresh: () => void
  readonly focusFirst: () => void
}

/** The height of the page above the list while it is scrolled, in pixels. */
const gapAbove = 8

const mostPrinted = 2000

/** A list of items, each made by a function. `topOf` is the height of the part that stays above it. */
export const make = (
  label: string,
  make: (item: number) => ReadonlyArray<Node>,
  topOf: () => number
): List => {
  const root = element("div.list", { role: "feed", "aria-label": label })
  const rows = new Map<number, HTMLElement>()
  let items: ArrayLike<number> = []
  /** The place of the item that has the focus, or gets it. */
  let active = 0
  let isPrinting = false

  const options = () => ({
    count: items.length,
    getItemKey: (index: number) => items[index]!,
    getScrollElement: () => window,
    estimateSize: () => 88,
    overscan: 6,
    // Where the list begins does not change while it is scrolled.
    scrollMargin: root.getBoundingClientRect().top + window.scrollY,
    scrollPaddingStart: topOf() + gapAbove,
    scrollToFn: windowScroll,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    indexAttribute: "data-index",
    // The item with the focus stays, or the focus would be lost.
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const places = defaultRangeExtractor(range)
      return active < items.length && !places.includes(active) && root.contains(document.activeElement)
        ? [...places, active].sort((first, second) => first - second)
        : places
    },
    onChange: () => draw()
  })

  const rowOf = (item: number) => {
    const known = rows.get(item)
    if (known !== undefined) return known
    const row = element("article.row", make(item))
    rows.set(item, row)
    return row
  }

  const place = (row: HTMLElement, index: number) => {
    row.dataset.index = `${index}`
    row.setAttribute("aria-posinset", `${index + 1}`)
    row.setAttribute("aria-setsize", `${items.length}`)
    row.tabIndex = index === active ? 0 : -1
  }

  const arrange = () => {
    const shown = virtualizer.getVirtualItems()
    root.style.height = `${virtualizer.getTotalSize()}px`
    const kept = new Set(shown.map(({ key }) => key))
    for (const [item, row] of rows) {
      if (kept.has(item)) continue
      row.remove()
      rows.delete(item)
    }
    let next = root.firstElementChild
    for (const { index, key, start } of shown) {
      const row = rowOf(key as number)
      place(row, index)
      row.style.transform = `translateY(${start - virtualizer.options.scrollMargin}px)`
      if (row === next) next = row.nextElementSibling
      else root.insertBefore(row, next)
    }
    for (const row of rows.values()) virtualizer.measureElement(row)
    virtualizer.measureElement(null)
  }

  let isDrawing = false
  let isOutdated = false
  /** Measuring may tell that heights are others than they were thought to be. */
  const draw = () => {
    isOutdated = true
    if (isDrawing || isPrinting) return
    isDrawing = true
    for (let round = 0; round < 5 && isOutdated; round++) {
      isOutdated = false
      arrange()
    }
    isDrawing = false
  }

  const virtualizer = new Virtualizer<Window, HTMLElement>(options())

  const update = () => {
    virtualizer.setOptions(options())
    virtualizer._willUpdate()
    draw()
  }

  const refresh = () => {
    root.replaceChildren()
    rows.clear()
    update()
  }

  const focus = (index: number) => {
    if (items.length === 0) return
    active = Math.max(0, Math.min(items.length - 1, index))
    if (!rows.has(items[active]!)) virtualizer.scrollToIndex(active, { align: "center" })
    root.style.setProperty("--above", `${topOf() + gapAbove}px`)
    // A long way takes until the scrolled list is drawn.
    const take = (tries: number) => {
      draw()
      const row = rows.get(items[active]!)
      if (row === undefined) {
        if (tries > 0) requestAnimationFrame(() => take(tries - 1))
        return
      }
      row.focus({ preventScroll: true })
      row.scrollIntoView({ block: "nearest" })
    }
    take(10)
  }

  const steps: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active + 1,
    ArrowUp: () => active - 1,
    PageDown: () => active + 10,
    PageUp: () => active - 10,
    Home: () => 0,
    End: () => items.length - 1
  }

  root.addEventListener("keydown", (event) => {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    focus(step())
  })
  root.addEventListener("focusin", ({ target }) => {
    const row = (target as Element).closest<HTMLElement>(".row")
    if (row !== null) active = Number(row.dataset.index)
  })

  // On paper there is no scrolling.
  window.addEventListener("beforeprint", () => {
    isPrinting = true
    root.style.height = ""
    root.replaceChildren()
    for (let index = 0; index < Math.min(items.length, mostPrinted); index++) {
      const row = rowOf(items[index]!)
      row.style.transform = ""
      root.append(row)
    }
  })
  window.addEventListener("afterprint", () => {
    isPrinting = false
    draw()
  })
  window.addEventListener("resize", update)

  return {
    root,
    show: (shown) => {
      items = shown
      active = 0
      refresh()
    },
    refresh,
    focusFirst: () => focus(0)
  }
}
