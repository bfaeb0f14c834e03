import type { Unit } from "../../format/Format.js"

/** The units of the source, those of the target, and what their sources were. */
export interface Units {
  readonly sources: ReadonlyMap<string, Unit>
  readonly targets: ReadonlyMap<string, Unit>
  /** The hash of a text of the source. */
  readonly hashOf: (text: string) => string
  /** The hash of the text that a unit of the target was translated from, as far as it is known. */
  readonly sourceOf: (key: string) => string | undefined
}

/**
 * The keys of the target's units, by those of the source's. Where keys say a place, such as a line, a unit may have moved: it is known by
 * the text that it was translated from. What is left has the key that it had.
 */
export const byPlace = ({ hashOf, sourceOf, sources, targets }: Units): ReadonlyMap<string, string> => {
  const origins = new Map<string, string>()
  const free = new Set(targets.keys())
  const take = (key: string, origin: string) => {
    origins.set(key, origin)
    free.delete(origin)
  }
  for (const [key, { text }] of sources) {
    if (free.has(key) && sourceOf(key) === hashOf(text)) take(key, key)
  }
  const moved = new Map<string, Array<string>>()
  for (const key of free) {
    const source = sourceOf(key)
    if (source !== undefined) moved.set(source, [...(moved.get(source) ?? []), key])
  }
  for (const [key, { text }] of sources) {
    const origin = origins.has(key) ? undefined : moved.get(hashOf(text))?.shift()
    if (origin !== undefined) take(key, origin)
  }
  for (const key of sources.keys()) if (!origins.has(key) && free.has(key)) take(key, key)
  return origins
}
