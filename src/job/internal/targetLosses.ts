import type * as Format from "../../format/Format.js"
import { hashOf } from "./record.js"
import * as unitMatching from "./unitMatching.js"
import * as unitStatus from "./unitStatus.js"

/** Texts of the output that it has no place for any more, and whose author is not the machine. */
export const find = (
  {
    format: { isBilingual },
    isMerged,
    matching
  }: unitMatching.Matched & Pick<unitStatus.Inspecting, "matching">,
  merged: ReadonlyArray<Format.Part>,
  hasStore: boolean
) => {
  const { entryOf, isOwnTarget, removed, targets, textOf } = matching
  const kept = isMerged || isOwnTarget ? unitMatching.keysOf(merged) : new Set<string>()
  const lost = removed.filter((key) => {
    const translation = textOf(targets.get(key)) ?? ""
    return !kept.has(key) && translation.trim() !== "" && !unitStatus.isOfNobody(matching, key)
  })
  const all = lost.map((key) => {
    const unit = targets.get(key)!
    const entry = entryOf(key)
    const translation = textOf(unit)!
    const isRecorded = entry?.target === hashOf(translation)
    // Nobody knows whose a text without an entry is: the store would have it as a person's.
    const text =
      entry === undefined ? undefined : isBilingual ? unit.text : isRecorded ? entry.text : undefined
    return { key, line: unit.line, text, translation, isKnown: entry !== undefined }
  })
  return {
    /** Those that the store keeps. */
    deleted: all.flatMap(({ key, text, translation }) =>
      text === undefined || !hasStore ? [] : [{ key, text, translation }]
    ),
    /** The first one that nothing would keep. */
    unkept: all.find(({ text }) => text === undefined || !hasStore),
    /** The first one of which nobody knows whose it is. */
    unknown: all.find(({ isKnown }) => !isKnown)
  }
}
