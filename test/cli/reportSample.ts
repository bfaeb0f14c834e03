/** A job as a person has it, for pictures: a catalogue, product rows and a guide, into German, Japanese and Arabic. */
import type * as JobSource from "../../src/job/JobSource.js"
import type { Job } from "./reportPages.js"

type Row = readonly [key: string, line: number, en: string, de: string, ja: string, ar: string]

const catalogue: ReadonlyArray<Row> = [
  ["editor.save", 4, "Save changes", "Änderungen speichern", "変更を保存", "حفظ التغييرات"],
  [
    "editor.saved",
    5,
    "{name} was saved <b>just now</b>.",
    "{name} wurde <b>gerade eben</b> gespeichert.",
    "{name} は<b>たった今</b>保存されました。",
    "تم حفظ {name} <b>للتو</b>."
  ],
  [
    "editor.unsaved",
    6,
    "You have unsaved changes in {count} files. Save them before you close the workspace?",
    "Sie haben nicht gespeicherte Änderungen in {count} Dateien. Möchten Sie sie speichern, bevor Sie den Arbeitsbereich schließen?",
    "{count} 個のファイルに未保存の変更があります。ワークスペースを閉じる前に保存しますか?",
    "لديك تغييرات غير محفوظة في {count} ملفات. هل تريد حفظها قبل إغلاق مساحة العمل؟"
  ],
  [
    "share.invite",
    12,
    "Invite people to this workspace",
    "Personen in diesen Arbeitsbereich einladen",
    "このワークスペースに招待する",
    "دعوة أشخاص إلى مساحة العمل هذه"
  ],
  [
    "share.link",
    13,
    "Anyone with the link can view",
    "Jeder mit dem Link kann ansehen",
    "リンクを知っている全員が閲覧できます",
    "يمكن لأي شخص لديه الرابط العرض"
  ],
  [
    "billing.next",
    20,
    "Your next invoice of {amount} is due on {date}.",
    "Ihre nächste Rechnung über {amount} ist am {date} fällig.",
    "次回の請求書 {amount} の支払期限は {date} です。",
    "فاتورتك القادمة بمبلغ {amount} مستحقة في {date}."
  ]
]

const products: ReadonlyArray<Row> = [
  [
    "row 2.title",
    2,
    "Linen shirt, short sleeves",
    "Leinenhemd, kurzärmelig",
    "リネンシャツ、半袖",
    "قميص كتان بأكمام قصيرة"
  ],
  [
    "row 2.description",
    2,
    "Light, breathable and made to be worn all summer long. Wash at 30 °C, do not tumble dry.",
    "Leicht, atmungsaktiv und für den ganzen Sommer gemacht. Bei 30 °C waschen, nicht im Trockner trocknen.",
    "軽くて通気性がよく、夏の間ずっと着られます。30 °C で洗い、乾燥機は使わないでください。",
    "خفيف ومسامي ومصمم للارتداء طوال الصيف. يغسل على 30 °C ولا يجفف في المجفف."
  ],
  [
    "row 3.title",
    3,
    "Walking boots, waterproof",
    "Wanderschuhe, wasserdicht",
    "防水ウォーキングブーツ",
    "حذاء مشي مقاوم للماء"
  ],
  [
    "row 3.description",
    3,
    "A sturdy sole and a warm lining for long days outside.",
    "Eine robuste Sohle und ein warmes Futter für lange Tage im Freien.",
    "丈夫な靴底と暖かい裏地で、屋外での長い一日も快適です。",
    "نعل متين وبطانة دافئة لأيام طويلة في الخارج."
  ]
]

const guide: ReadonlyArray<Row> = [
  ["1", 1, "Getting started", "Erste Schritte", "はじめに", "البدء"],
  [
    "2",
    3,
    "Create a workspace, invite your team, and put your first document into it.",
    "Erstellen Sie einen Arbeitsbereich, laden Sie Ihr Team ein und legen Sie Ihr erstes Dokument darin ab.",
    "ワークスペースを作成し、チームを招待して、最初のドキュメントを追加します。",
    "أنشئ مساحة عمل، وادع فريقك، وضع فيها أول مستند لك."
  ]
]

const files: ReadonlyArray<readonly [source: string, rows: ReadonlyArray<Row>, times: number]> = [
  ["locales/en/app.json", catalogue, 70],
  ["products.en.csv", products, 150],
  ["docs/en/guide.md", guide, 12]
]

const lost = {
  _tag: "PlaceholderLost",
  message:
    "The translation does not hold the placeholders of its text: of 1, 1 are missing or changed; 0 are too many, and 0 marks are broken. Translate the text unprotected and look at it, or keep the source."
}
const timedOut = {
  _tag: "TimedOut",
  message: "No answer within 60 seconds, after 5 attempts. Run the same again later."
}

const isAt = (at: number, ...places: ReadonlyArray<number>) => places.includes(at)

const units = files.flatMap(([source, rows, times]) =>
  (["de", "ja", "ar"] as const).flatMap((targetLang, column) =>
    Array.from({ length: times }, (_, time) => time).flatMap((time) =>
      rows.map(([key, line, ...texts], row): JobSource.UnitOutcome => {
        const at = time * rows.length + row
        const unit = {
          source,
          key: /\d/.test(key)
            ? key.replace(/\d+/, (found) => `${Number(found) + time * 2}`)
            : time === 0
              ? key
              : `view${time}.${key}`,
          line: line + time * 24,
          targetLang,
          text: texts[0]
        }
        const error =
          rows === catalogue && targetLang === "ja" && isAt(at, 5, 41)
            ? lost
            : rows === products && targetLang === "ar" && isAt(at, 27)
              ? timedOut
              : undefined
        return error === undefined
          ? {
              ...unit,
              translation: texts[column + 1],
              state: time % 4 === 3 ? "cached" : row === 4 && time % 5 === 0 ? "skipped" : "translated"
            }
          : { ...unit, translation: undefined, state: "failed", error }
      })
    )
  )
)

/** Texts in a second, and the limit: as of a service that refuses for a while. */
const rateAt = (second: number) =>
  (second >= 14 && second < 18 ? 6 : 30) + 5 * Math.sin(second / 5) + 4 * Math.sin(second * 1.7)

const limitAt = (second: number) =>
  second < 14
    ? 8 + Math.floor(second / 2)
    : second < 24
      ? 9
      : second < 70
        ? 9 + Math.floor((second - 24) / 9)
        : 13

let done = 0
let refused = 0
const course = Array.from({ length: 97 }, (_, second) => {
  done += Math.round(rateAt(second))
  refused += { 14: 3, 15: 2, 16: 1, 70: 2, 71: 1 }[second] ?? 0
  const limit = limitAt(second)
  return { limit, inUse: second > 92 ? 4 : limit - (second % 5 === 0 ? 1 : 0), refused, done }
})

export const sample: Job = {
  units,
  course,
  end: {
    next: "3 texts have failed, and 2 outputs are not whole. See why below, mend that, and run the same again: finished translations are stored and not paid for again. 104,249 characters were billed, and up to 412 more may have been, whose answers are not known."
  },
  outputs: [
    {
      source: "docs/en/guide.md",
      targetLang: "de",
      state: "written",
      stale: [
        {
          key: "2",
          text: "Create a workspace, invite your team, and put your first document into it.",
          translation: "Erstelle einen Arbeitsbereich und lade dein Team ein."
        }
      ]
    }
  ],
  glossaries: [
    { targetLang: "de", entries: { workspace: "Arbeitsbereich", invoice: "Rechnung" } },
    { targetLang: "ja", entries: { workspace: "ワークスペース", invoice: "請求書" } },
    { targetLang: "ar", entries: { workspace: "مساحة العمل", invoice: "فاتورة" } }
  ],
  inDoubt: {
    sinceStart: [
      { state: "unknown", why: "It was sent, and its answer was lost.", requests: 1, characters: 412 }
    ],
    everything: [
      { state: "unknown", why: "It was sent, and its answer was lost.", requests: 1, characters: 412 }
    ]
  }
}
