import * as Arr from "effect/Array"
import { make, type Pair, ranges } from "./check.js"
import { languageOf } from "./languages.js"

/** Words of models about themselves and their task, and their words of regret: parts of regular expressions. */
interface Phrases {
  /** Language models, help that is refused, and a context that is missed. */
  readonly task: string
  /** Translations, and the own language. */
  readonly translation: string
  /** A first person who cannot, and apologies. */
  readonly regret: string
  /** Words of an English source that such words of a translation stand for too. */
  readonly also?: string
}

const phrases: Readonly<Record<string, Phrases>> = {
  ar: {
    task: "ذكاء(?:ً|ًا)? ?ا?صطناعي|الذكاء الاصطناعي|ذكاءً اصطناعي|نموذج(?:ًا|اً)? لغوي|(?:لا|لن) (?:يمكنني|أستطيع) (?:ال)?(?:مساعد|تلبية)|من السياق",
    translation: "(?:إلى|ب)العربية|إلى اللغة العربية|ترجم",
    regret: "(?:لا|لن) (?:يمكنني|أستطيع)|عذرًا|عذراً|آسف|أعتذر",
    also: "subtitle|compil|TM"
  },
  bg: {
    task: "изкуствен\\p{L}* интелект|езиков\\p{L}* модел|не мога да[^.]{0,30}(?:помогн|изпълн)|повече контекст|ИИ",
    translation: "на български|прев[ео]д",
    regret: "не мога|съжалявам|моля да ме извините",
    also: "transfer|wire"
  },
  cs: {
    task: "uměl\\p{L}+ inteligenc|jazykov\\p{L}+ model|nemohu[^.]{0,40}(?:pomoci|vyhovět)|více kontextu",
    translation: "do češtiny|v češtině|česky|překlad|přelož",
    regret: "nemohu|nejsem schop|omlouvám se|je mi líto",
    also: "[Cc]ompil"
  },
  da: {
    task: "kunstig intelligens|sprogmodel|kan (?:jeg )?(?:desværre )?ikke[^.]{0,30}hjælpe|mere kontekst|KI",
    translation: "på dansk|overs[æa]t",
    regret: "jeg kan (?:desværre )?ikke|kan jeg (?:desværre )?ikke|beklager",
    also: "map|compil|pars"
  },
  de: {
    task: "künstlichen?r? Intelligenz|Sprachmodell|kann[^.]{0,30}nicht[^.]{0,30}(?:helfen|behilflich|nachkommen)|mehr Kontext|KI",
    translation: "auf Deutsch|ins Deutsche|übersetz",
    regret:
      "ich kann[^.]{0,40}(?:nicht|kein)|kann ich[^.]{0,40}(?:nicht|kein)|tut mir leid|bin ich nicht|ich bin nicht in der Lage",
    also: "[Cc]ompil|convert"
  },
  el: {
    task: "τεχνητή[ςσ]? νοημοσύνη|γλωσσικό μοντέλο|δεν μπορώ[^.]{0,30}(?:βοηθ|ικανοποι)|περισσότερο πλαίσιο|ΤΝ",
    translation: "στα ελληνικά|μετ[αά]φρ",
    regret: "δεν μπορώ|λυπάμαι|λυπούμαι"
  },
  es: {
    task: "inteligencia artificial|modelo de lenguaje|no puedo[^.]{0,30}(?:ayudar|cumplir|atender)|más contexto|IA",
    translation: "(?:al|en) español|tradu[cz]",
    regret: "no puedo|lo siento|no soy capaz|lamento"
  },
  et: {
    task: "tehisintellekt|tehisaru|keelemudel|saa[^.]{0,30}(?:aidata|täita)|rohkem konteksti",
    translation: "eesti keel|tõlge|tõlki|tõlgi",
    regret: "ma ei saa|saa ma|vabandust|ei ole ma|kahjuks"
  },
  fi: {
    task: "tekoäly|kielimalli|en (?:valitettavasti )?voi[^.]{0,30}(?:auttaa|täyttää|toteuttaa)|lisää kontekstia",
    translation: "suomeksi|suomen kielel|kään(?:tä[ämv]|net|nös|nökse)",
    regret: "en voi|en pysty|pahoillani|valitettavasti en",
    also: "[Cc]ompil|convert|inver|turn|chord"
  },
  fr: {
    task: "intelligence artificielle|modèle (?:de langage|linguistique)|ne peux pas[^.]{0,30}(?:aider|répondre|satisfaire|accéder)|plus de contexte|IA",
    translation: "en français|tradu[cit]",
    regret: "je ne peux|désolée?|je ne suis pas|je regrette"
  },
  he: {
    task: "בינה מלאכותית|מודל שפה|(?:יכול|מסוגל)ה? (?:לעזור|לסייע|להיענות)|להיענות לבקש|עוד הקשר",
    translation: "[לב]עברית|תרגו|תרגם|מתורגם",
    regret: "(?:אני לא|איני|אינני) (?:יכול|מסוגל)|מצטער|באפשרותי|לצערי"
  },
  hi: {
    task: "कृत्रिम बुद्धि|एआई|भाषा मॉडल|(?:मदद|सहायता) नहीं कर|अनुरोध पूरा नहीं|और संदर्भ",
    translation: "हिं?न?्?दी में|अनुवाद|अनुवादित",
    regret: "मैं[^।]{0,60}नहीं कर|क्षमा कर|माफ़ कीजिए|मुझे खेद"
  },
  hu: {
    task: "mesterséges intelligenci|nyelvi modell|nem tud[^.]{0,30}(?:segít|teljesít)|több kontextus|MI",
    translation: "magyarul|magyarra|fordítás|lefordít|fordítani",
    regret: "nem tud(?:ok|om)|nem fordíthat|sajnálom|nem vagyok képes|sajnos",
    also: "[Cc]ompil|inver|revers"
  },
  id: {
    task: "kecerdasan buatan|model bahasa|tidak (?:bisa|dapat)[^.]{0,30}(?:membantu|memenuhi)|konteks lebih",
    translation: "bahasa Indonesia|terjemah|diterjemah|penerjemah|menerjemah",
    regret: "saya tidak (?:bisa|dapat|mampu)|maaf",
    also: "subtitle|unfinished"
  },
  it: {
    task: "intelligenza artificiale|modello (?:linguistico|di linguaggio)|non posso[^.]{0,30}(?:aiutar|soddisf|esaudi)|più contesto|IA",
    translation: "in italiano|tradu[crz]|tradott",
    regret: "non posso|mi dispiace|non sono in grado",
    also: "unfinished"
  },
  ja: {
    task: "AI(?:として|モデル|アシスタント|です)|人工知能|言語モデル|(?:お手伝い|お応え)でき|お手伝いできる|文脈を",
    translation: "日本語[でに]|翻訳|[和英語]訳|訳注",
    regret: "申し訳|すみません|恐れ入り|残念|できかねます"
  },
  ko: {
    task: "AI(?:로서|로써|로|입니다| 모델| 어시스턴트)|인공 ?지능|언어 모델|도와 ?드릴 수|도움을 드릴 수|맥락을",
    translation: "한국어로|번역",
    regret: "죄송|안타깝|유감|드릴 수 없|제공할 수 없"
  },
  lt: {
    task: "dirbtin\\p{L}+ intelekt|kalbos modelis|negaliu[^.]{0,30}(?:padėti|įvykdyti)|padėti negaliu|daugiau konteksto|DI",
    translation: "lietuviškai|lietuvių kalb|vertim|išver[sčt]",
    regret: "negaliu|atsiprašau|nesugebu"
  },
  lv: {
    task: "mākslīg\\p{L}+ intelekt|valodas model|nevaru[^.]{0,30}(?:palīdzēt|izpildīt)|vairāk konteksta|MI",
    translation: "latviski|latviešu valod|iztulko|tulko",
    regret: "nevaru|nespēju|atvainojiet|diemžēl es",
    also: "interpret|transponder"
  },
  nb: {
    task: "kunstig intelligens|språkmodell|kan (?:jeg )?(?:dessverre )?ikke[^.]{0,30}hjelpe|mer kontekst|KI",
    translation: "på norsk|overs[ea]tt",
    regret: "jeg kan (?:dessverre )?ikke|kan jeg (?:dessverre )?ikke|beklager"
  },
  nl: {
    task: "kunstmatige intelligentie|taalmodel|kan (?:ik |u )?niet[^.]{0,30}helpen|meer context",
    translation: "het Nederlands|vertal|vertaald",
    regret: "ik kan[^.]{0,40}(?:niet|geen)|kan ik[^.]{0,40}(?:niet|geen)|het spijt me|sorry|ben ik niet"
  },
  pl: {
    task: "sztuczn[aeją]+ inteligencj|model(?:em)? językow|nie mogę[^.]{0,30}(?:pomóc|spełnić|zrealizować)|więcej kontekstu|SI",
    translation: "po polsku|na (?:język )?polski|przetłumacz|tłumacz|w języku polskim",
    regret: "nie mogę|przepraszam|przykro mi|nie jestem w stanie"
  },
  pt: {
    task: "inteligência artificial|modelo de linguagem|não posso[^.]{0,30}(?:ajudar|atender|satisfazer)|mais contexto|IA",
    translation: "(?:em|para o) português|tradu[çcz]",
    regret: "não posso|desculpe|lamento|sinto muito|não sou capaz"
  },
  ro: {
    task: "inteligenț[aăei]+ artificial|model(?:ul)? (?:lingvistic|de limbaj)|nu pot[^.]{0,30}(?:ajuta|îndeplini)|mai mult context|IA",
    translation: "(?:în|limba) română|tradu[cs]",
    regret: "nu pot|îmi pare rău|nu sunt capabil"
  },
  ru: {
    task: "искусственн[а-я]+ интеллект|языков[а-я]+ модел|не могу[^.]{0,30}(?:помочь|выполнить)|больше контекст|ИИ",
    translation:
      "на русск|перевод(?! строк| карет| страниц| форм)|перевести (?:этот|это|данный)|перевед[её]нн",
    regret: "я не могу|извините|сожалею|не в состоянии|я не в силах|к сожалению, я",
    also: "CRLF|transfer|mov(?:e|ing)|transition|migrat|newline|line feed|convert|hibernat|suspend|switch"
  },
  sk: {
    task: "umel\\p{L}+ inteligenci|jazykový model|nemôž\\p{L}+[^.]{0,30}(?:pomôcť|vyhovieť)|viac kontextu",
    translation: "do slovenčiny|po slovensky|v slovenčine|preklad(?!an)|prelož",
    regret: "nemôžem|ospravedlňujem|je mi ľúto|nie som schop",
    also: "[Cc]ompil|[Rr]esol"
  },
  sl: {
    task: "umetn[aeio]+ inteligenc|jezikovn\\p{L}+ model|ne morem[^.]{0,30}(?:pomagati|ugoditi)|več o kontekstu",
    translation: "slovenščin|prevod|prevest|preveden|prevedem",
    regret: "ne morem|žal mi je|oprostite",
    also: "[Cc]ompil"
  },
  sv: {
    task: "artificiell intelligens|språkmodell|kan (?:jag )?(?:tyvärr )?inte[^.]{0,30}(?:hjälpa|uppfylla)|mer (?:sammanhang|kontext)",
    translation: "på svenska|övers[äa]tt",
    regret: "jag kan (?:tyvärr )?inte|kan jag[^.]{0,10} inte|jag är ledsen|förlåt",
    also: "[Cc]ompil"
  },
  th: {
    task: "ปัญญาประดิษฐ์|โมเดลภาษา|แบบจำลองภาษา|ในฐานะ AI|ไม่สามารถ(?:ช่วย|ให้ความช่วย|ดำเนินการตามคำขอ)|บริบทเพิ่ม",
    translation: "ภาษาไทย|แปล(?![งก])",
    regret: "(?:ฉัน|ผม)ไม่สามารถ|ขออภัย|ขอโทษ|น่าเสียดาย"
  },
  tr: {
    task: "yapay zek|dil modeli|yardımcı olam|yerine getirem|daha fazla bağlam",
    translation: "Türkçe|çeviri|çevirem|çevrilm[ie]|tercüme",
    regret: "üzgünüm|özür dilerim|ne yazık ki|\\p{L}[ae]m[ıi]yorum|\\p{L}[ae]mem(?!\\p{L})",
    also: "convert|online|dial"
  },
  uk: {
    task: "штучн[а-яії]+ інтелект|мовн[а-яї]+ модел|не можу[^.]{0,30}(?:допомогти|виконати)|більше контекст|ШІ",
    translation: "українською|переклад|перекласт",
    regret: "не можу|вибачте|перепрошую|не в змозі",
    also: "convert|switch"
  },
  vi: {
    task: "trí tuệ nhân tạo|mô hình ngôn ngữ|không thể (?:giúp|hỗ trợ|đáp ứng)|thêm ngữ cảnh",
    translation: "tiếng Việt|bản dịch|muốn dịch|đã dịch|được dịch|dịch (?:văn bản|nội dung|đoạn|câu)",
    regret: "tôi không thể|xin lỗi|rất tiếc|tôi không có khả năng",
    also: "shift|compil"
  },
  zh: {
    task: "作[为為](?:一[个個名款位种種])?(?:AI|人工智[能慧])|人工智[能慧]|[语語]言模型|[无無]法[^。]{0,6}(?:[协協]助|[满滿]足|[帮幫])|[帮幫]不上|更多(?:的)?上下文|[为為]您提供更多",
    translation: "[为為成]中文|翻[译譯]|[译譯][文者注註]",
    regret: "抱歉|我[无無]法|我不能|很[遗遺]憾|[对對]不起"
  }
}

const english: Phrases = {
  translation: "translat",
  task: "artificial intelligence|language model|(?:can(?:not|['’]t)|unable to|not able to)[^.]{0,30}(?:assist|help|fulfil|comply)|more context|AI",
  regret: "I(?:['’]m| am) (?:sorry|unable|not able)|I can(?:not|['’]t)"
}

/** Words of an English source for which its translation has such phrases. */
const englishReasons: Partial<Phrases> = {
  translation: "locali[sz]|internationali|untranslat",
  regret:
    "can(?:not| not|['’]t|&#\\d+;t)|could(?: not|n['’]t)|unable|not able|not possible|impossible|fail|unfortunately|sorry|apolog|regret|afraid|excuse|forgive"
}

/** Abbreviations of `artificial intelligence`, which are whole words in capitals. */
const abbreviation = /^\p{Lu}{2}$/u

/** Scripts of which words stand between spaces, and have no prefixes. */
const alphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u

/** With a capital or not: ignoring case would make them slow. */
const anyCase = (phrase: string): string =>
  phrase.replace(/^\p{Ll}/u, (letter) => `[${letter}${letter.toUpperCase()}]`)

const split = (phrases: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  phrases.flatMap((each) => each?.split(/\|(?![^(]*\))/) ?? [])

/** The class of letters stands once: it takes most of the time to compile. */
const compile = (phrases: ReadonlyArray<string | undefined>, flags: string): RegExp => {
  const [others, words] = Arr.partition(split(phrases), (phrase) => alphabetic.test(phrase))
  const atWord = words.map((word) => (abbreviation.test(word) ? `${word}(?!\\p{L})` : anyCase(word)))
  return new RegExp([`(?<!\\p{L})(?:${atWord.join("|")})`, ...others].join("|"), flags)
}

/** Phrases without the start of a word and classes of Unicode, which make them slow: they match more. */
const compileHint = (phrases: ReadonlyArray<string | undefined>): RegExp =>
  new RegExp(split(phrases).map(anyCase).join("|").replaceAll("\\p{L}", "\\S"))

/** The English name of a language, such as `German`; `undefined` if the code is none. */
const nameOf = (name: string): string | undefined =>
  name in phrases ? new Intl.DisplayNames("en", { type: "language" }).of(name)?.split(" ")[0] : undefined

const kinds = ["task", "translation", "regret"] as const

type Kind = (typeof kinds)[number]

const byKind = (
  phrasesOf: (kind: Kind) => ReadonlyArray<string | undefined>,
  flags: string
): Readonly<Record<Kind, RegExp>> => ({
  task: compile(phrasesOf("task"), flags),
  translation: compile(phrasesOf("translation"), flags),
  regret: compile(phrasesOf("regret"), flags)
})

interface Patterns {
  /** Phrases of any kind, within words too: nearly all translations have none. */
  readonly hint: RegExp
  readonly translation: Readonly<Record<Kind, RegExp>>
  /** Words of the source for which the translation has such phrases. */
  readonly source: Readonly<Record<Kind, RegExp>>
}

const makePatterns = (source: string, target: string): Patterns => {
  const [own, other] = [phrases[source], phrases[target]]
  const ofTranslation = (kind: Kind) => [english[kind], other?.[kind]]
  const reasons = (kind: Kind) => (source === "en" ? [englishReasons[kind]] : [])
  const ofSource = (kind: Kind) => [...ofTranslation(kind), own?.[kind], ...reasons(kind)]
  const meanings = source === "en" ? [other?.also, nameOf(target)] : []
  return {
    hint: compileHint(kinds.flatMap(ofTranslation)),
    translation: byKind(ofTranslation, "gu"),
    source: byKind(
      (kind) => (kind === "translation" ? [...ofSource(kind), ...meanings] : ofSource(kind)),
      "giu"
    )
  }
}

/** By the codes of the target and of the source. */
const made = new Map<string, Map<string, Patterns>>()

const patternsOf = ({ sourceLang = "en", targetLang }: Pair): Patterns => {
  const known = made.get(targetLang)?.get(sourceLang)
  if (known !== undefined) return known
  const patterns = makePatterns(languageOf(sourceLang).name, languageOf(targetLang).name)
  made.set(targetLang, new Map(made.get(targetLang)).set(sourceLang, patterns))
  return patterns
}

/** A reply instead of a translation is short. */
const longestReply = 250

/** An introduction ends in a colon. */
const introduction = /^.{0,100}[:：]\s/su

/** The part of a translation in which phrases of a kind are those of a reply. */
const frameOf = (kind: Kind, translation: string): string =>
  kind === "task" || translation.length <= longestReply
    ? translation
    : kind === "translation"
      ? (introduction.exec(translation)?.[0] ?? "")
      : ""

export const modelReply = make(
  {
    name: "modelReply",
    severity: "error",
    explanation: "The translation speaks of a language model, or of itself, where the source does not."
  },
  (pair) => {
    const { source, translation } = pair
    const patterns = patternsOf(pair)
    if (!patterns.hint.test(translation)) return undefined
    const strange = kinds.flatMap((kind) => {
      const found = ranges(frameOf(kind, translation), patterns.translation[kind])
      return found.length === 0 || found.length <= ranges(source, patterns.source[kind]).length ? [] : found
    })
    return strange.length === 0 ? undefined : { source: [], translation: strange }
  }
)
