import { make, type Pair, ranges } from "./check.js"
import { languageOf } from "./languages.js"

/** The phrases of models about themselves, their limits, and their translation, as parts of regular expressions. */
const phrases: Readonly<Record<string, string>> = {
  ar: "الذكاء الاصطناعي|ذكاء اصطناعي|نموذج لغ|عذرًا، لا يمكنني|إليك الترجمة",
  bg: "изкуствен интелект|езиков модел|Съжалявам, но не мога|Ето превода|ИИ",
  cs: "uměl[áéou]+ inteligenc|jazykov[ýéým]+ model|Omlouvám se, ale nemohu|Zde je překlad",
  da: "kunstig intelligens|sprogmodel|Beklager, men jeg kan|Her er oversættelsen|KI",
  de: "künstlichen?r? Intelligenz|Sprachmodell|Es tut mir leid, aber ich|Hier ist die Übersetzung|KI",
  el: "τεχνητή[ςσ]? νοημοσύνη|γλωσσικό μοντέλο|Λυπάμαι, αλλά δεν μπορώ|Ορίστε η μετάφραση|ΤΝ",
  es: "inteligencia artificial|modelo de lenguaje|Lo siento, pero no puedo|Aquí (?:está|tienes) la traducción|IA",
  et: "tehisintellekt|tehisaru|keelemudel|Vabandust, aga ma ei saa|Siin on tõlge",
  fi: "tekoäly|kielimalli|Olen pahoillani, mutta en voi|Tässä on käännös",
  fr: "intelligence artificielle|modèle (?:de langage|linguistique)|Je suis désolée?, mais je|Voici la traduction|IA",
  he: "בינה מלאכותית|מודל שפה|אני מצטער, אבל|הנה התרגום",
  hu: "mesterséges intelligenci|nyelvi modell|Sajnálom, de nem tud|Íme a fordítás|MI",
  id: "kecerdasan buatan|model bahasa|Maaf, (?:tetapi )?saya tidak|Berikut (?:adalah )?terjemahan",
  it: "intelligenza artificiale|modello (?:linguistico|di linguaggio)|Mi dispiace, ma non posso|Ecco la traduzione|IA",
  ja: "AI(?:として|モデル|アシスタント|です)|人工知能|言語モデル|申し訳(?:ありません|ございません)が、私|以下が翻訳",
  ko: "AI(?:로서|로써|로|입니다| 모델| 어시스턴트)|인공지능|인공 지능|언어 모델|죄송하지만 저는|다음은 번역",
  lt: "dirbtin[ioėis]+ intelekt|kalbos modelis|Atsiprašau, bet negaliu|Štai vertimas|DI",
  lv: "mākslīg[aāiso]+ intelekt|valodas modelis|Atvainojiet, bet es nevaru|Šeit ir tulkojums|MI",
  nb: "kunstig intelligens|språkmodell|Beklager, men jeg kan|Her er oversettelsen|KI",
  nl: "kunstmatige intelligentie|taalmodel|Het spijt me, maar ik kan|Hier is de vertaling",
  pl: "sztuczn[aeją]+ inteligencj|model(?:em)? językowy|Przepraszam, ale nie mogę|Przykro mi, ale nie mogę|Oto tłumaczenie|SI",
  pt: "inteligência artificial|modelo de linguagem|(?:Desculpe|Lamento|Sinto muito), mas não posso|Aqui está a tradução|IA",
  ro: "inteligenț[aăei]+ artificial|model lingvistic|model de limbaj|Îmi pare rău, dar nu pot|Iată traducerea|IA",
  ru: "искусственн[а-я]+ интеллект|языков[а-я]+ модел|Извините, но я не могу|К сожалению, я не могу|Вот перевод|ИИ",
  sk: "umel[áéou]+[jmu]? inteligenci|jazykový model|Je mi ľúto, ale nemôžem|Tu je preklad",
  sl: "umetn[aeio]+ inteligenc|jezikovni model|Žal mi je, vendar ne morem|Tukaj je prevod",
  sv: "artificiell intelligens|språkmodell|Jag är ledsen, men jag kan|Här är översättningen",
  th: "ปัญญาประดิษฐ์|โมเดลภาษา|แบบจำลองภาษา|ขออภัย แต่|นี่คือคำแปล|ในฐานะ AI",
  tr: "yapay zek|dil modeli|Üzgünüm, (?:ancak|ama) |İşte çeviri",
  uk: "штучн[а-яії]+ інтелект|мовн[а-яї]+ модел|Вибачте, але я не можу|На жаль, я не можу|Ось переклад|ШІ",
  vi: "trí tuệ nhân tạo|mô hình ngôn ngữ|Xin lỗi, (?:nhưng )?tôi không thể|Đây là bản dịch",
  zh: "作[为為](?:一[个個名款位种種])?(?:AI|人工智[能慧])|人工智[能慧]|[语語]言模型|抱歉，我(?:[无無]法|不能)|以下是翻[译譯]"
}

const capital = (phrase: string): string =>
  phrase.replace(/^\p{Ll}/u, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** Abbreviations of `artificial intelligence`, which are whole words in capitals. */
const abbreviation = /^\p{Lu}{2}$/u

const english =
  "artificial intelligence|language model|I(?:['’]m| am) sorry, but I|I can(?:not|['’]t) (?:assist|help|translate|fulfill|comply)|Here(?:['’]s| is) the translation|AI"

const compile = (all: string): RegExp =>
  new RegExp(
    all
      .split(/\|(?![^(]*\))/)
      .map((phrase) => (abbreviation.test(phrase) ? `(?<!\\p{L})${phrase}(?!\\p{L})` : capital(phrase)))
      .join("|"),
    "gu"
  )

const compiled = new Map<string, RegExp>()

const patternOf = (name: string): RegExp => {
  let pattern = compiled.get(name)
  if (pattern === undefined) {
    pattern = compile(name in phrases ? `${english}|${phrases[name]}` : english)
    compiled.set(name, pattern)
  }
  return pattern
}

const speaksOfIt = ({ source, sourceLang = "en", targetLang }: Pair): boolean =>
  [sourceLang, targetLang].some((code) => new RegExp(patternOf(languageOf(code).name), "iu").test(source))

export const modelReply = make(
  {
    name: "modelReply",
    severity: "error",
    explanation: "The translation speaks of a language model, or of itself, where the source does not."
  },
  (pair) => {
    const pattern = patternOf(languageOf(pair.targetLang).name)
    if (pair.translation.search(pattern) === -1 || speaksOfIt(pair)) return undefined
    return { source: [], translation: ranges(pair.translation, pattern) }
  }
)
