/** Figures and words for people. */

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

/** The sum of a figure of each. */
export const sum = <A>(values: ReadonlyArray<A>, of: (value: A) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

/** A cost, with four digits if it is small. */
export const money = (value: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: value < 0.1 ? 4 : 2 })

/** A figure that is known within bounds. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** "1,200", or "1,200 to 1,400" where the bounds differ. */
export const range = ({ least, most }: Range, show: (value: number) => string): string =>
  least === most ? show(least) : `${show(least)} to ${show(most)}`

/** "1 min 5 s" */
export const span = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"]
  ] as const
  const told = parts.filter(([value]) => value > 0).slice(0, 2)
  return told.length === 0 ? "0 s" : told.map(([value, unit]) => `${value} ${unit}`).join(" ")
}
