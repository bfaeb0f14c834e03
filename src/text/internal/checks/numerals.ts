/** Numbers that a translation writes as words. */
import { languageOf } from "./languages.js"

/** Beginnings of the words for 10, 11, 12, 20, hundred and thousand. Words of three letters and fewer stand as they are. */
const words: Readonly<Record<string, string>> = {
  ar: "عشر أحد|إحدى اثنا|اثني عشرين|عشرون مئة|مائة ألف",
  bg: "десет единадесет дванадесет двадесет сто|сто ти хиляд",
  cs: "deset|desít jedenáct dvanáct dvacet|dvacít|dvacát sto|set|seti|setin tisíc",
  da: "ti elleve tolv tyve hundred tusind",
  de: "zehn elf zwölf zwanzig hundert tausend",
  el: "δέκα|δεκα έντεκα|ένδεκα δώδεκα είκοσι|εικοστ εκατό|εκατον|εκατοστ χίλι|χιλι",
  es: "diez once doce veint cien mil|miles|milés",
  et: "kümme|kümne üksteist kaksteist kakskümmend|kahekümne sada|saja tuhat|tuhand",
  fi: "kymmen yksitoista kaksitoista kaksikymmen sata|sada|sado tuhat|tuhan",
  fr: "dix|dizaine onze douze vingt cent mille|millier",
  he: "עשר אחד|אחת שנים|שתים|שנתים עשרים מאה|מאות|מאתיים אלף",
  hi: "दस ग्यारह बारह बीस सौ हज़ार|हजार",
  hu: "tíz|tized tizenegy tizenkettő húsz|husz száz|század ezer|ezred",
  id: "sepuluh sebelas belas puluh ratus|seratus ribu|seribu",
  it: "dieci|decin undici dodici venti cento|centin|centes mille|mila|miglia",
  lt: "dešimt vienuolik dvylik dvidešimt šimt tūkstan",
  lv: "desmit vienpadsmit divpadsmit divdesmit simt tūksto",
  nb: "ti elleve tolv tjue hundre tusen",
  nl: "tien elf twaalf twintig honderd duizend",
  pl: "dziesi jedena dwana|dwuna dwadzie|dwudzie sto|setn|setk tysi",
  pt: "dez onze doze|dúzia vinte|vigés cem|cento|centés|centena mil|milhar",
  ro: "zece|zeci unsprezece doisprezece douăzeci sută|sute|sutim mie|mii",
  ru: "десят одиннадцат двенадцат двадцат сто|сот|сотн|соты тысяч",
  sk: "desať|desia jedenás dvanás dvadsa|dvadsi sto|stov|stoti tisíc",
  sl: "deset enajst dvanajst dvajset sto|stot|stoti tisoč",
  sv: "tio elva tolv tjugo hundra tusen",
  th: "สิบ สิบเอ็ด สิบสอง ยี่สิบ ร้อย พัน",
  tr: "on on on yirmi yüz bin",
  uk: "десят одинадцят дванадцят двадцят сто|сот|сотн|соті тисяч",
  vi: "mười|chục mười mười mươi trăm nghìn|ngàn"
}

const places: ReadonlyArray<RegExp> = [/^10$/, /^11$/, /^12$/, /^20$/, /^[1-9]00$/, /^[1-9]\d?000$/]

const patterns = new Map<string, ReadonlyArray<RegExp>>()

const patternsOf = (language: string): ReadonlyArray<RegExp> => {
  const known = patterns.get(language)
  if (known !== undefined) return known
  const made = (words[language]?.split(" ") ?? []).map((alternatives) => {
    const all = alternatives
      .split("|")
      .map((word) => (word.length <= 3 ? `(?<!\\p{L})${word}(?!\\p{L})` : word))
    return new RegExp(all.join("|"), "iu")
  })
  patterns.set(language, made)
  return made
}

const chineseDigits = "〇一二三四五六七八九"
const chinesePlaces = ["", "十", "百", "千"]

/** 十四 for 14, 五百 for 500. */
const chinese = (digits: string): string =>
  Array.from(digits, (digit, index) =>
    digit === "0" ? "" : chineseDigits[Number(digit)]! + chinesePlaces[digits.length - 1 - index]!
  )
    .join("")
    .replace(/^一十/, "十")

const isChinese = /^(?:zh|ja)$/

/** True if a translation has words for a number: those for small and round numbers, in Chinese and Japanese for all. */
export const inWords = (digits: string, translation: string, targetLang: string): boolean => {
  const language = languageOf(targetLang).name
  if (isChinese.test(language) && digits.length <= 4) {
    const numeral = chinese(digits)
    return translation
      .replace(/[两兩]/g, "二")
      .includes(digits.startsWith("1") ? numeral.replace(/^一/, "") : numeral)
  }
  const place = places.findIndex((each) => each.test(digits))
  return place !== -1 && patternsOf(language)[place]?.test(translation) === true
}
