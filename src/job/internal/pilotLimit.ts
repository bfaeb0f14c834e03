import type { Part, Unit } from "../../format/Format.js"

/** Lets some units be translated. Those behind them say that they are translated already, so they stay as they are. */
export interface Limiting {
  readonly limit: (part: Part) => Part
  /** Whether a unit was left. */
  readonly isCut: () => boolean
}

export const make = (limit: number = Number.POSITIVE_INFINITY): Limiting => {
  let left = limit
  let isCut = false
  return {
    isCut: () => isCut,
    limit: (part) => {
      let count = 0
      for (const { state } of part.units) if (state !== "translated") count++
      if (count <= left) {
        left -= count
        return part
      }
      isCut = true
      const units = part.units.map((unit): Unit => {
        if (unit.state === "translated") return unit
        if (left === 0) return { ...unit, state: "translated" }
        left--
        return unit
      })
      return { ...part, units }
    }
  }
}
