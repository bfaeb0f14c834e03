const scripts: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u3040-\u30ff]/, "JA"],
  [/[\uac00-\ud7af]/, "KO"],
  [/[\u4e00-\u9fff]/, "ZH"],
  [/[\u0400-\u04ff]/, "RU"]
]

const beyondLatin = /[^\0-\u02ff]/

/** Detects a language by its script; English if the script is Latin or unknown. */
export const detect = (text: string): string =>
  beyondLatin.test(text) ? (scripts.find(([script]) => script.test(text))?.[1] ?? "EN") : "EN"

/** The languages that can be recognised by their script. */
const recognisable = new Set(["ja", "ko", "zh", "ru"])

/** True if a text may be in a language, judged by scripts alone: Japanese has Han characters too, and digits fit any. */
export const mayBe = (text: string, base: string): boolean => {
  const detected = detect(text).toLowerCase()
  if (recognisable.has(detected)) return detected === base || (detected === "zh" && base === "ja")
  return !recognisable.has(base) || !/\p{L}/u.test(text)
}
