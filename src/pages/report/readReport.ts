/** The data of the page. */

import { type Data, dataId, type State, states, type Unit, unitsClass } from "./reportData.js"
import { makeTerm, type Term } from "./textMarks.js"

export interface Terms {
  /** Those of the source language. */
  readonly source: ReadonlyArray<Term>
  readonly target: ReadonlyArray<Term>
}

export interface Report extends Omit<Data, "placeholder"> {
  readonly units: ReadonlyArray<Unit>
  /** Places of the units in the order in which they are shown. */
  readonly order: Uint32Array
  /** The terms of a glossary for each target language, in their order. */
  readonly terms: ReadonlyArray<Terms>
  /** Finds all placeholders. */
  readonly placeholder: RegExp
}

export const stateOf = (unit: Unit): State => states[unit[0]]!

const staleState = states.indexOf("stale")

/** Those up to it come first. */
const urgent = states.indexOf("flagged")

/** Marks the units whose translation a person has written for an earlier source; those that the job did not touch are added. */
const withStale = (data: Data, units: Array<Unit>): void => {
  const stale = data.report.outputs.flatMap(({ source, stale, targetLang }) =>
    stale.map((unit) => ({
      ...unit,
      source: data.sources.indexOf(source),
      targetLang: data.targetLangs.indexOf(targetLang)
    }))
  )
  if (stale.length === 0) return
  const nameOf = (source: number, targetLang: number, key: string) => `${source} ${targetLang} ${key}`
  const places = new Map(
    units.map(([, source, targetLang, key], place) => [nameOf(source, targetLang, key), place])
  )
  for (const { key, source, targetLang, text, translation } of stale) {
    const place = places.get(nameOf(source, targetLang, key)) ?? units.length
    units[place] = [staleState, source, targetLang, key, units[place]?.[4] ?? null, text, translation, null]
  }
}

const termsOf = ({ glossaries, targetLangs }: Data): ReadonlyArray<Terms> =>
  targetLangs.map((code) => {
    const entries = Object.entries(
      glossaries.find(({ targetLang }) => targetLang.toLowerCase() === code.toLowerCase())?.entries ?? {}
    )
    return {
      source: entries.map(([from, to]) => makeTerm(from, `Glossary: ${from} is ${to}`)),
      target: entries.map(([from, to]) => makeTerm(to, `Glossary: ${to}, for ${from}`))
    }
  })

const inOrder = (units: ReadonlyArray<Unit>): Uint32Array => {
  const urgency = ([state]: Unit) => Math.min(state, urgent + 1)
  return Uint32Array.from(units.keys()).sort(
    (first, second) => urgency(units[first]!) - urgency(units[second]!) || first - second
  )
}

/** Reads the data, and removes it from the page. */
export const readReport = (): Report => {
  const holder = document.getElementById(dataId)!
  const data: Data = JSON.parse(holder.textContent!)
  const units: Array<Unit> = []
  for (const block of document.querySelectorAll(`script.${unitsClass}`)) {
    for (const unit of JSON.parse(block.textContent!)) units.push(unit)
    block.remove()
  }
  holder.remove()
  withStale(data, units)
  return {
    ...data,
    units,
    order: inOrder(units),
    terms: termsOf(data),
    placeholder: new RegExp(data.placeholder, "g")
  }
}
