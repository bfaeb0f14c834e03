import type * as Text from "../../api/Text.js"

/** What became of the texts of a batch. */
export interface Answer {
  readonly translations: ReadonlyArray<Text.Translation>
  readonly attempts: number
  readonly ambiguousAttempts: number
}
