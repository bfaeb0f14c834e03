/** Choices of columns, paths and records that a source does not fit. */
import type * as Format from "../../format/Format.js"

/**
 * The columns or paths that were chosen and no source has, with those that sources have instead.
 *
 * @internal
 */
export const missingChoices = (
  selections: ReadonlyArray<Pick<Format.Selection, "found" | "known" | "lacks" | "option"> | undefined>
): ReadonlyArray<Format.Choice> => {
  const told = selections.filter((selection) => selection !== undefined)
  const found = new Set(told.flatMap(({ found }) => found))
  const lacks = new Map(
    told.flatMap(({ known, lacks, option }) =>
      lacks.map((value) => [value, { option, value, known }] as const)
    )
  )
  return [...lacks.values()].filter(({ value }) => !found.has(value))
}

/**
 * True if values that were chosen are no texts.
 *
 * @internal
 */
export const hasNoTexts = (
  sources: ReadonlyArray<{ readonly selection?: Format.Selection | undefined }>
): boolean => sources.some(({ selection }) => (selection?.noTexts ?? 0) > 0)
