import * as WriteStream from "../../../stream/WriteStream.js"
import type { RephraseInput } from "../../commands/write.js"
import * as improve from "./improve.js"

export const handle = ({ style: writingStyle, tone, ...input }: RephraseInput) => {
  const manner = { writingStyle, tone }
  return improve.run(
    input,
    (parts, options) => WriteStream.rephraseWith(parts, { ...options, ...manner }),
    manner
  )
}
