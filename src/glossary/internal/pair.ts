import type * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"

/** The pair in base languages, as the service takes it. */
export const pairOf = ({
  sourceLang,
  targetLang
}: GlossaryEntries.LanguagePair): GlossaryEntries.LanguagePair => ({
  sourceLang: LanguageCode.base(sourceLang),
  targetLang: LanguageCode.base(targetLang)
})

/** The pair as one string, the same for all variants and casings. */
export const keyOf = (pair: GlossaryEntries.LanguagePair): string => Object.values(pairOf(pair)).join(" ")
