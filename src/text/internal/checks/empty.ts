import { make, whole } from "./check.js"

/** What can't be seen. */
const visible = /[^\s\p{Cf}]/u

export const empty = make(
  { name: "empty", severity: "error", explanation: "The source has a text, the translation has none." },
  ({ source, translation }) =>
    visible.test(translation) || !visible.test(source)
      ? undefined
      : { source: whole(source), translation: [] }
)
