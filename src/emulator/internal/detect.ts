const scripts: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u3040-\u30ff]/, "JA"],
  [/[\uac00-\ud7af]/, "KO"],
  [/[\u4e00-\u9fff]/, "ZH"],
  [/[\u0400-\u04ff]/, "RU"]
]

const beyondLatin = /[^\0-\u02ff]/

/** Detects a language by its script: English, if no script tells. */
export const detect = (text: string): string =>
  beyondLatin.test(text) ? (scripts.find(([script]) => script.test(text))?.[1] ?? "EN") : "EN"

/** The languages that a script tells from all others. */
const told = new Set(["ja", "ko", "zh", "ru"])

/** Whether a text may be in a language, as far as scripts tell: Han stands in Japanese too, and digits anywhere. */
export const mayBe = (text: string, base: string): boolean => {
  const detected = detect(text).toLowerCase()
  if (told.has(detected)) return detected === base || (detected === "zh" && base === "ja")
  return !told.has(base) || !/\p{L}/u.test(text)
}
