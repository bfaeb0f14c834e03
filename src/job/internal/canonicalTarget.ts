/** The parts of a target, with its language in the canonical form. A module of its own: declarations leave out what is exported as internal, with all that is exported beside it. */
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Text from "../../api/Text.js"
import type { OwnTarget, Target } from "./jobTarget.js"

/** A target with its language in the canonical form. */
export const canonical = (target: Target): OwnTarget =>
  typeof target === "string"
    ? { lang: LanguageCode.canonical(target) }
    : { ...target, lang: LanguageCode.canonical(target.lang) }

/** The language of a target, in its canonical form. */
export const langOf = (target: Target): string => canonical(target).lang

/** The options of a job for one of its languages. */
export const optionsFor = <O extends object>(
  target: OwnTarget,
  shared: O | undefined
): O & Text.TranslateOptions =>
  ({ ...shared, ...target.options, targetLang: target.lang }) as O & Text.TranslateOptions
