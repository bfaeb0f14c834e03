/** A cue that a text is laid out on. */
export interface Slot {
  /** Milliseconds. */
  readonly duration: number
  /** Characters of the text that it had. */
  readonly length: number
}

interface Limits {
  /** Characters of a line; those of other scripts than the language's own count half. */
  readonly width: number
  /** Characters that are read in a second. */
  readonly speed: number
  readonly isWide: boolean
}

const latin: Limits = { width: 42, speed: 17, isWide: false }
const wide: Readonly<Record<string, Limits>> = {
  zh: { width: 18, speed: 9, isWide: true },
  ja: { width: 16, speed: 4, isWide: true },
  ko: { width: 20, speed: 12, isWide: true }
}

const primaryOf = (language: string): string =>
  /^[a-z]{2,3}(?![a-z])/i.exec(language)?.[0].toLowerCase() ?? "und"

const limitsOf = (language: string): Limits => wide[primaryOf(language)] ?? latin

const widthOf = (text: string, { isWide }: Limits): number => {
  const visible = text.replace(/<[^<>]*>|\{\\[^{}]*\}/g, "").replace(/[\p{M}\p{Cf}]/gu, "")
  let width = 0
  for (const character of visible) width += isWide && character < "\u1100" ? 0.5 : 1
  return width
}

/** A piece of a text that is not broken. */
interface Atom {
  readonly text: string
  readonly width: number
  /** True if whitespace is in front of it. */
  readonly isSpaced: boolean
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々〜～\p{Lm}\p{M}]/u
const opening = /[\p{Ps}\p{Pi}]$/u

const segments = (run: string, language: string): ReadonlyArray<string> => {
  if (!unspaced.test(run)) return [run]
  const pieces: Array<string> = []
  for (const { segment } of new Intl.Segmenter(primaryOf(language), { granularity: "word" }).segment(run)) {
    const last = pieces.length - 1
    if (last >= 0 && (closing.test(segment) || opening.test(pieces[last]!))) pieces[last] += segment
    else pieces.push(segment)
  }
  return pieces
}

const tokens = /(<[^<>\s][^<>]*>|\{\\[^{}]*\})|( +)|([^ <{]+|[<{])/g

const atomsOf = (text: string, language: string, limits: Limits): ReadonlyArray<Atom> => {
  const atoms: Array<{ text: string; isSpaced: boolean }> = []
  let isSpaced = false
  let startsAnew = true
  for (const [, tag, space, run] of text.matchAll(tokens)) {
    if (space !== undefined) {
      isSpaced = true
      startsAnew = true
      continue
    }
    const pieces = tag === undefined ? segments(run!, language) : [tag]
    pieces.forEach((piece, index) => {
      if (startsAnew || index > 0) atoms.push({ text: piece, isSpaced })
      else atoms[atoms.length - 1]!.text += piece
      startsAnew = false
      isSpaced = false
    })
  }
  return atoms.map((atom) => ({ ...atom, width: widthOf(atom.text, limits) }))
}

/** The gain of a break behind such an atom, as a square of characters. */
const bonusOf = ({ text }: Atom): number => {
  const plain = text.replace(/<[^<>]*>|\{\\[^{}]*\}|["'”’»)\]」』]+$/g, "")
  return /[.!?…。！？؟।]$/.test(plain) ? 400 : /[,;:，、；：—–،]$/.test(plain) ? 256 : 0
}

const square = (x: number): number => x * x
const over = (x: number): number => square(Math.max(0, x))

/** Widths of runs of atoms, from one up to another, without the blank in front of the first. */
const measure = (atoms: ReadonlyArray<Atom>, { isWide }: Limits) => {
  const blank = isWide ? 0.5 : 1
  const sums = [0]
  for (const { isSpaced, width } of atoms) sums.push(sums.at(-1)! + width + (isSpaced ? blank : 0))
  return {
    sums,
    between: (from: number, to: number) =>
      sums[to]! - sums[from]! - (from < to && atoms[from]!.isSpaced ? blank : 0)
  }
}

const join = (atoms: ReadonlyArray<Atom>): string =>
  atoms.map(({ isSpaced, text }, index) => (isSpaced && index > 0 ? ` ${text}` : text)).join("")

/** One line, or two of about the same length, the break behind punctuation if it can be. */
const breakLines = (atoms: ReadonlyArray<Atom>, limits: Limits): string => {
  const { between } = measure(atoms, limits)
  if (atoms.length < 2 || between(0, atoms.length) <= limits.width) return join(atoms)
  let best = 1
  let least = Number.POSITIVE_INFINITY
  for (let at = 1; at < atoms.length; at++) {
    const first = between(0, at)
    const second = between(at, atoms.length)
    const cost =
      square(first - second) / 4 +
      10 * (over(first - limits.width) + over(second - limits.width)) -
      bonusOf(atoms[at - 1]!) / 2
    if (cost < least) [best, least] = [at, cost]
  }
  return `${join(atoms.slice(0, best))}\n${join(atoms.slice(best))}`
}

/** The part of a whole that each cue should have: the mean of those of its time and of the text that it had. */
const sharesOf = (slots: ReadonlyArray<Slot>): ReadonlyArray<number> => {
  const sum = (of: (slot: Slot) => number) => slots.reduce((total, slot) => total + of(slot), 0)
  const time = ({ duration }: Slot) => Math.max(1, duration)
  const length = (slot: Slot) => Math.max(1, slot.length)
  const [times, lengths] = [sum(time), sum(length)]
  return slots.map((slot) => (time(slot) / times + length(slot) / lengths) / 2)
}

/** The distance from its place within which a break is looked for, in atoms. */
const reach = 40

/** The ends of the pieces that fit the cues best: dynamic programming over breaks near their places. */
const findEnds = (
  atoms: ReadonlyArray<Atom>,
  slots: ReadonlyArray<Slot>,
  limits: Limits
): ReadonlyArray<number> => {
  const { between, sums } = measure(atoms, limits)
  const total = sums.at(-1)!
  const shares = sharesOf(slots)
  let costs = new Map([[0, 0]])
  const cameFrom: Array<Map<number, number>> = []
  let share = 0
  slots.forEach(({ duration }, index) => {
    share += shares[index]!
    const isLast = index === slots.length - 1
    const place = isLast ? atoms.length : sums.findIndex((sum) => sum >= share * total)
    const low = isLast ? atoms.length : Math.max(index + 1, place - reach)
    const high = Math.min(atoms.length - (slots.length - 1 - index), isLast ? atoms.length : place + reach)
    const next = new Map<number, number>()
    const from = new Map<number, number>()
    for (let end = Math.min(low, high); end <= high; end++) {
      const bonus = isLast ? 0 : bonusOf(atoms[end - 1]!)
      for (const [start, cost] of costs) {
        if (start >= end) continue
        const width = between(start, end)
        const sum =
          cost +
          square(width - shares[index]! * total) +
          10 * over(width - 2 * limits.width) +
          over(width - (limits.speed * duration) / 1000) / 2 -
          bonus
        if (sum < (next.get(end) ?? Number.POSITIVE_INFINITY)) {
          next.set(end, sum)
          from.set(end, start)
        }
      }
    }
    costs = next
    cameFrom.push(from)
  })
  const ends = [atoms.length]
  for (let index = slots.length - 1; index > 0; index--) ends.unshift(cameFrom[index]!.get(ends[0]!)!)
  return ends
}

/** Tags that are open at the end of a piece are closed there, and opened again in the next one. */
const balance = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  let open: Array<{ readonly name: string; readonly tag: string }> = []
  return pieces.map((piece) => {
    const reopened = open.map(({ tag }) => tag).join("")
    const own = [...open]
    for (const [tag, slash, name] of piece.matchAll(/<(\/?)([a-zA-Z]+)[^<>]*>/g)) {
      if (slash === "") own.push({ name: name!, tag })
      else {
        const found = own.findLastIndex((other) => other.name === name)
        if (found >= 0) own.splice(found, 1)
      }
    }
    open = own
    return (
      reopened +
      piece +
      own
        .map(({ name }) => `</${name}>`)
        .reverse()
        .join("")
    )
  })
}

/**
 * A text on cues, in lines that LF ends: each has some of it, in proportion to its time and to the text that it had. Where there are
 * fewer words than cues, neighbours show the same one.
 */
export const layout = (text: string, slots: ReadonlyArray<Slot>, language: string): ReadonlyArray<string> => {
  const limits = limitsOf(language)
  const whitespace = /[ \t\r\n\v\f\u0085\u2028\u2029]+/g
  const atoms = atomsOf(text.replace(whitespace, " ").trim(), language, limits)
  const count = atoms.length
  if (count === 0) return slots.map(() => "")
  if (count < slots.length)
    return slots.map((_, index) => atoms[Math.floor((index * count) / slots.length)]!.text)
  const ends = slots.length === 1 ? [count] : findEnds(atoms, slots, limits)
  const pieces = ends.map((end, index) => breakLines(atoms.slice(ends[index - 1] ?? 0, end), limits))
  return slots.length === 1 ? pieces : balance(pieces)
}
