/** The namespaces of a stream's improvements in a store. */
import type * as Write from "../../api/Write.js"
import { type Declared, make, unlessEmpty } from "./namespace.js"
import { running } from "./options.js"
import type * as TranslateStream from "./translateOptions.js"

type Running = Pick<TranslateStream.Options, keyof typeof running>

const correcting: Declared<Write.CorrectOptions & Running> = {
  ...running,
  targetLang: "ignored",
  extraParameters: unlessEmpty
}

const rephrasing: Declared<Write.RephraseOptions & Running> = {
  ...correcting,
  writingStyle: "same",
  tone: "same"
}

/** The namespace of rephrasing with these options. */
export const ofRephrasing = make(rephrasing, () => undefined)

/** The namespace of corrections with these options. */
export const ofCorrection = make(correcting, () => undefined)
