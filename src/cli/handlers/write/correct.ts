import * as WriteStream from "../../../stream/WriteStream.js"
import type { CorrectInput } from "../../commands/write.js"
import * as improve from "./improve.js"

export const handle = (input: CorrectInput) => improve.run(input, WriteStream.correctWith)
