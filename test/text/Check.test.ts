/** What each built-in check finds and, more important, what it lets pass. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Check } from "effect-translate/checks"
import manifest from "../../package.json" with { type: "json" }

type Row = readonly [source: string, translation: string, more?: Partial<Check.Pair>]

const pair = ([source, translation, more]: Row, targetLang = "de"): Check.Pair => ({
  source,
  translation,
  sourceLang: "en",
  targetLang,
  ...more
})

const find = (check: Check.Check, row: Row) => check.find(pair(row))

/** One test for each row. */
const table = (
  check: Check.Check,
  rows: { readonly found: ReadonlyArray<Row>; readonly passed: ReadonlyArray<Row> }
) =>
  describe(check.name, () => {
    it.each(rows.found.map((row) => ({ row })))("finds $row", ({ row }) => {
      expect(find(check, row).map((finding) => finding.check)).toEqual([check.name])
    })
    it.each(rows.passed.map((row) => ({ row })))("lets pass $row", ({ row }) => {
      expect(find(check, row)).toEqual([])
    })
  })

const to = (targetLang: string): Partial<Check.Pair> => ({ targetLang })

table(Check.empty, {
  found: [
    ["Hello", ""],
    ["Hello", " \n"],
    ["Hello", "\u200b\u200e"]
  ],
  passed: [
    ["\u200b", ""],
    ["\u200b", "\u200b"],
    ["", ""],
    [" ", ""],
    ["Hello", "-"]
  ]
})

table(Check.untranslated, {
  found: [
    ["The file could not be opened.", "The file could not be opened."],
    ["_Open the selected files", "_Open the selected files"],
    ["The file could not be opened.", "The file could not be opened"],
    ["The file could not be opened", "The file could not be opened …"],
    ["Saved Report Configurations", "Saved Report Configurations", to("ru")],
    [
      "ファイルを開くことができませんでした。もう一度お試しください。",
      "ファイルを開くことができませんでした。もう一度お試しください。",
      { sourceLang: "ja" }
    ],
    ["The file could not be opened.", "The file could not be opened.", { sourceLang: undefined }]
  ],
  passed: [
    [`${"“".repeat(100_000)}1a b c`, `${"“".repeat(100_000)}1a b c`],
    ["Open", "Open"],
    ["Saved Report Configurations", "Saved Report Configurations"],
    ["GNU General Public License", "GNU General Public License"],
    ["https://example.org/a/long/path", "https://example.org/a/long/path"],
    ["git worktree list [-v | --porcelain]", "git worktree list [-v | --porcelain]"],
    ["%(severity)s: %(message)s, %(type)s", "%(severity)s: %(message)s, %(type)s"],
    ["12.5 × 2026 = 25,325 (100 %)", "12.5 × 2026 = 25,325 (100 %)"],
    ["The color of the house is red.", "The color of the house is red.", to("en-GB")],
    ["The file could not be opened.", "Die Datei konnte nicht geöffnet werden."]
  ]
})

const notes = ["I hope this helps.", "(Note: The name of the product was left untranslated.)"]

table(Check.partlyUntranslated, {
  found: [
    [
      "We have not found the file that you opened here.",
      "Wir haben die Datei nicht file that you opened here."
    ],
    ["Try to avoid using your name in the password.", "پاس ورڈ میں your name in the password.", to("ur")],
    ["The house is old.", `Das Haus ist alt. ${notes[0]}`],
    ["The house has rooms with green walls", "Das Haus hat Zimmer with green walls"],
    [
      "It contains tools for user-mode Linux, including uml_moo, uml_net and uml_switch",
      "Es enthält Werkzeuge for user-mode Linux, including uml_moo, uml_net and uml_switch"
    ],
    [
      "Спокойной ночи и хороших снов всем, кто нас слушает сегодня",
      "Gute Nacht хороших снов всем, кто нас слушает сегодня",
      { sourceLang: "ru" }
    ],
    ["The house is old.", `その家は古い。\n${notes[1]}`, to("ja")]
  ],
  passed: [
    ["It supports ace, arj, bzip2, deb, iso and zip.", "Es unterstützt ace, arj, bzip2, deb, iso und zip."],
    [
      "It uses the GNU General Public License Version 2.",
      "Es verwendet die GNU General Public License Version 2."
    ],
    ["The colour of the house is red now.", "The color of the house is red now.", to("en-US")],
    ["The house is old.", "Das Haus ist alt."]
  ]
})

table(Check.placeholders, {
  found: [
    ["Hello {name}", "Hallo"],
    ["Hello {name}", "Hallo {Name}"],
    ["%s of %s", "%s von"],
    ["%d files", "% d Dateien"],
    ["A <b>bold</b> word", "Ein <b>fettes Wort"],
    ["A word", "Ein <b>Wort</b>"],
    ["%s: %d", "%d: %s"],
    ["%1 of %2.", "%2 von %3."],
    ["%5.1f%% of %s, %ld", "%5.1f%% von %ld, %s"],
    ["<b>Name</b>", "<b>名前</em>", to("ja")],
    ["<b>Name</b>", "<b>Neuer <i>Name</b>"],
    ["Buy Acme now", "Jetzt Akme kaufen", { placeholders: [{ start: 4, end: 8 }] }],
    ["{n, plural, one {# file} other {# files}} in {folder}", "{n, plural, one {# Datei} other {# Dateien}}"],
    ["{n, plural, one {# file} other {# files}} of {m}", "{n, plural, one {# von {M}} other {# von {M}}}"]
  ],
  passed: [
    ["%s of %d", "%2$d von %1$s"],
    ["%(name)s: %(count)d", "%(count)d: %(name)s"],
    ["%d and %i", "%i und %d"],
    ["%.255s", "%.250s"],
    ["%1 of %2", "%2, davon %1"],
    ["20% of it", "%20'si", to("tr")],
    ["All copied.~%Failed: ~a", "Alles kopiert.~%Nicht: ~a"],
    ["Francois", "Fran@,{c}ois", to("fr")],
    ["%a, %d %b", "%d. %b, %a"],
    ["usage: cp <file> <folder>", "Aufruf: cp <Datei> <Ordner>"],
    ['<a title="Home">x</a>', '<a title="Start">x</a>'],
    ["{n, plural, one {# file} other {# files}}", "{n, plural, one {# Datei} other {# Dateien}}"],
    [
      "<b>{n, plural, one {# file} other {# files}}</b> in {folder}",
      "{n, plural, one {<b># Datei</b> in {folder}} other {<b># Dateien</b> in {folder}}}"
    ],
    ["{n} {n, plural, one {file} other {files}}", "{n, plural, one {{n} Datei} other {{n} Dateien}}"],
    [
      "{n, plural, one {# file} other {# files}} in {m, plural, one {# folder} other {# folders}}",
      "{n, plural, other {{m, plural, other {{n}個のファイル、#}}}}",
      to("ja")
    ],
    ["%m/%d/%Y", "%d.%m.%Y"],
    ["an <i>old</i> house", "<b>古い</b>家", to("ja")],
    ["Don&#39;t", "Nicht"],
    ["Click on &#8220;Save&#8221;", "Klicken Sie auf <em>Speichern</em>"],
    ["See the page", "Siehe <http://example.org/>"],
    ["<corrupt: %ld>", "<beschädigt: %ld>"],
    ["Buy Acme now", "Jetzt Acme kaufen", { placeholders: [{ start: 4, end: 8 }] }]
  ]
})

const plural = "{n, plural, =0 {none} one {# file} other {# files}}"
const choice = "{g, select, male {he} female {she} other {they}}"

table(Check.numbers, {
  found: [
    ["In 2026 it began.", "2062 fing es an."],
    ["Wait 30 seconds", "Warten Sie"],
    ["1,500 files", "1.600 Dateien"],
    ["50 is the middle", "Die Mitte (Lagrange)"],
    ["16 bits (Q16)", "Bits (Q16)"],
    ["X11 is old", "X10 ist alt"],
    ["Version 3.5 is out", "Version 35 ist da"],
    ["Version 3.5 is out", "Version 3 ist da"],
    ["0.5 seconds, 5 times", "5 Sekunden, 5-mal"],
    ["12.5 °C", "१२५ °C", to("hi")],
    ["Only 5% is left", "Nur 5 sind noch übrig"],
    ["20% of it", "20 davon"],
    ["10% here, 20% there", "hier 10 %, dort 20"],
    ["on 2026-03-04", "am 2026-04-03"]
  ],
  passed: [
    ["3.5 files of 1.5 GB", "3,5 Dateien von 1,5 GB"],
    ["3.5", "٣٫٥", to("ar")],
    ["half, or 0.5", "½"],
    ["1.5 million", "150万", to("ja")],
    ["from F1,2", "von F1 und 2"],
    ["10% to 20%", "10 bis 20 %"],
    ["20%", "%20", to("tr")],
    ["20 %", "zwanzig Prozent"],
    ["on 2026-03-04", "am 4. 3. 2026"],
    ["on the 14th day", "在第十四天", to("zh-Hans")],
    ["on the 24th", "ביום העשרים וארבעה", to("he")],
    ["ten times 200", "dix fois deux cents", to("fr")],
    ["10 files", "ti filer", to("da")],
    ["500 years", "五百年", to("ja")],
    ["a11y and i18n", "Barrierefreiheit"],
    ["X11 on non-amd64 systems", "Das Fenstersystem anderswo"],
    ["1,500.25 files", "1.500,25 Dateien"],
    ["1,500 files", "1500 Dateien"],
    ["12/31/2026", "31.12.2026"],
    ["page 42", "صفحة ٤٢", to("ar")],
    ["10,000 people", "1万人", to("ja")],
    ["the 19th century", "le XIXe siècle", to("fr")],
    ["at 8:30 PM", "um 20:30 Uhr"],
    ["the 1990s", "die 90er"],
    ["2 files", "zwei Dateien"],
    ["ten digits", "10 Ziffern"],
    ["{0:N10} left", "Noch {0:N12}"]
  ]
})

table(Check.icu, {
  found: [
    [plural, "{n, plural, =0 {nichts} one {# Datei}}"],
    [plural, "{n, plural, =0 {nichts} other {# Dateien}}"],
    [plural, "{n, plural, one {# Datei} other {# Dateien}}"],
    [plural, "{n, plural, =0 {nichts} eins {# Datei} andere {# Dateien}}"],
    [plural, "{n, plural, =0 {nichts} one {# Datei} other {Dateien}}"],
    [plural, "{n, plural, =0 {nichts} one {Datei} other {# Dateien}}"],
    [plural, "{n, plural, =0 {нет} one {# файл} few {# файла} other {# файла}}", to("ru")],
    [choice, "{g, select, male {er} other {sie}}"],
    [choice, "{g, select, männlich {er} female {sie} other {sie}}"],
    [`{a, select, x {${plural}} other {}}`, "{a, select, x {{n, plural, =0 {} one {#}}} other {}}"]
  ],
  passed: [
    [plural, "{n, plural, =0 {nichts} one {eine Datei} other {# Dateien}}"],
    [plural, "{n, plural, =0 {nichts} one {{n} Datei} other {{n, number} Dateien}}"],
    [plural, "{n, plural, =0 {なし} other {#件}}", to("ja")],
    [plural, "{n, plural, =0 {rien} one {# fichier} other {# fichiers}}", to("fr")],
    [plural, "{n, plural, =0 {kein '}'} one {# Datei} other {# Dateien}}"],
    [plural, `${plural}!`],
    [choice, "{g, select, other {sie} female {sie} male {er}}"]
  ]
})

table(Check.units, {
  found: [
    ["5 km", "5 mi"],
    ["20 °C", "20 °F"],
    ["$5", "5 €"],
    ["512 MB", "512 GB"]
  ],
  passed: [
    ["5 km", "5 км", to("ru")],
    ["512 MB", "512 Mo", to("fr")],
    ["$5", "5 $"],
    ["5 miles", "8 km"],
    ["5 m and 5 cm", "5 cm und 5 m"]
  ]
})

table(Check.addresses, {
  found: [
    ["See https://example.org/a", "Siehe https://example.org/b"],
    ["See https://example.org/a", "Siehe dort"],
    ["See http://www.example.org", "Siehe http ://www.example.org"],
    ["Write to help@example.org", "Schreiben Sie an hilfe@example.org"],
    ["Open settings.json", "Öffnen Sie einstellungen.json"]
  ],
  passed: [
    ["See https://a.org/en/x", "https://a.org/en/x", { sourceLang: "c++" }],
    ["See https://a.org/en/x", "https://a.org/en/x", { sourceLang: "(", targetLang: "??" }],
    ["See https://example.org/en/a.", "Siehe https://example.org/de/a"],
    ["See http://www.example.org", "Siehe (https://example.org/)!"],
    ["Open settings.json", "settings.json öffnen"],
    ["It is highlight.js", "Highlight.js ist es"],
    ["e.g. this. No file", "z. B. das. Keine Datei"]
  ]
})

table(Check.length, {
  found: [
    ["The server did not answer in the time that was given to it.", "Server"],
    ["Open", "Öffnen Sie bitte die Datei, die Sie öffnen möchten, damit sie geöffnet ist."]
  ],
  passed: [
    ["OK", "Einverstanden"],
    ["The server did not answer in the time that was given to it.", "Zeitüberschreitung des Servers."],
    [
      "The server did not answer in the time that was given to it.",
      "サーバーが時間内に応答しませんでした。",
      to("ja")
    ]
  ]
})

table(Check.maxLength, {
  found: [["Save", "Speichern", { maxCharacters: 8 }]],
  passed: [
    ["Save", "Speichern", { maxCharacters: 9 }],
    ["Save", "Speichern"],
    ["Party", "🎉🎉", { maxCharacters: 2 }]
  ]
})

const three = "The house is old. Nobody lives there. The roof has a hole."

table(Check.sentences, {
  found: [
    [three, "Das Haus ist alt. Das Dach hat ein Loch."],
    [three, "Das Haus ist alt. Niemand wohnt dort."],
    [three, "家は古いです。屋根に穴があります。", to("ja")],
    ["first line\nsecond line\nthird line", "erste Zeile\ndritte Zeile"],
    ["first line\nsecond line", "erste Zeile zweite Zeile"],
    ["The encoder has failed to start\nStatus: %d", "Der Encoder startete nicht Status: %d"],
    [
      "The file that is open was changed by another program.\nDo you want to save it?",
      "Die offene Datei wurde von einem anderen Programm geändert. Möchten Sie sie speichern?"
    ],
    ["The house is old.\n", "Das Haus ist alt."],
    ["The house is old and empty. Nobody has lived there for years.", "Das Haus ist alt und leer."],
    ["- apples\n- pears\n- plums", "- Äpfel\n- Birnen, und alle Pflaumen des Gartens"],
    ["1. 開く\n2. 保存する", "1. Öffnen", { sourceLang: "ja" }],
    ["Open settings\nFile not found: it may have been moved", "เปิดการตั้งค่า ไม่พบแฟ้ม อาจถูกย้ายไปแล้ว", to("th")]
  ],
  passed: [
    [three, "Das Haus ist alt. Niemand wohnt dort. Das Dach hat ein Loch."],
    [three, "Das Haus ist alt, und es wohnt auch niemand darin; das Dach hat nämlich ein großes Loch."],
    ["The house is old. Nobody lives there.", "Im alten Haus wohnt niemand."],
    ["Karts. Nitro. Action!", "Karts, Nitro und Action!"],
    [
      "It begins with #! and a path. It is read by e.g. the shell.",
      "Es beginnt mit #! und einem Pfad; z. B. die Shell liest es."
    ],
    [
      "The house is old. The door of it is new; the roof is not.",
      "Das Haus ist alt, die Tür ist neu; das Dach ist es aber nicht."
    ],
    [
      "This is a paragraph that somebody has broken\ninto lines, of which none has room for more\nwords than it has.",
      "Das ist ein Absatz, den jemand in Zeilen zerlegt hat, von denen keine\nnoch Platz für weitere Wörter hat."
    ],
    ["The house is old. Ubuntu 24.04 runs there.", "Im alten Haus: Ubuntu 24.04."],
    [
      "Die Zeit um 1850. Das 19. Jh. war lang. Ende.",
      "About 1850. It was long. End.",
      { sourceLang: "de", targetLang: "en" }
    ]
  ]
})

table(Check.repetition, {
  found: [
    ["The house is old.", `Das Haus ist${" alt".repeat(9)}.`],
    ["The house is old.", "Das Haus ist wirklich alt. Das Haus ist wirklich alt."],
    ["It is old", "古い".repeat(9), to("ja")],
    ["Redo the edit", "重做重做重做该项编辑", to("zh")],
    ["The house is old.", "Das Haus ist alt. Das Haus ist alt."],
    ["The house is old.", "Das Haus ist alt\nDas Haus ist alt"],
    ["No label", "没有标签没有标签", to("zh")]
  ],
  passed: [
    ["ha ha ha ha ha ha ha ha ha", "ha ha ha ha ha ha ha ha ha"],
    ["1 2 3", "1 1 1 1 1 1 1 1 1 1 1 1 1 1"],
    ["-----------------------------", "-----------------------------"],
    ["It is very, very old", "Es ist sehr, sehr alt"],
    ["Nein, nein", "No, no, no"],
    ["Bye-bye", "Bye Bye"],
    ["Ha, ha, ha", "哈哈哈哈哈哈", to("zh")]
  ]
})

table(Check.script, {
  found: [
    ["Open the file", "Öffne die файл"],
    ["Open the file", "打开文件"],
    ["Open the file", "Please open this file now", to("ru")]
  ],
  passed: [
    ["Open the файл", "Öffne die файл"],
    ["5 µm, α = 2", "5 µm, α = 2"],
    ["Open the file", "ファイルを開く", to("ja")],
    ["GNU Image Manipulation Program", "GNU Image Manipulation Program", to("ru")],
    ["VPN", "VPN", to("ar")]
  ]
})

table(Check.chineseScript, {
  found: [
    ["The file was not found", "没有找到您要打开的这个文件", to("zh-TW")],
    ["It requires an impossible reload", "要求不可能的重新載入", to("zh-CN")],
    ["The file was not found", "没有找到您要打开的这个文件", to("zh-Hant")],
    ["The file was not found", "沒有找到您要開啟的這個檔案", to("zh-CN")],
    ["The file was not found", "沒有找到您要開啟的這個檔案", to("zh")]
  ],
  passed: [
    ["The file was not found", "没有找到您要打开的这个文件", to("zh-Hans")],
    ["The file was not found", "沒有找到您要開啟的這個檔案", to("zh-HK")],
    ["Chinese (Taiwan, 繁體)", "中文（台湾，繁體），可在设置中选择", to("zh-CN")],
    ["The file was not found", "開啟的檔案が見つかりません", to("ja")],
    ["Chinese", "中文", to("zh-TW")],
    ["Enter", "載入", to("zh-CN")]
  ]
})

table(Check.truncated, {
  found: [
    ["The file could not be opened, since it is locked.", "Die Datei konnte nicht geöffnet we"],
    ["The file could not be opened, since somebody else has it", "Die Datei konnte nicht geöff"],
    ["The file could not be opened, since it is locked.", "ロックされているた", to("ja")]
  ],
  passed: [
    ["The file could not be opened, since it is locked.", "Die Datei ist gesperrt."],
    [
      "The file could not be opened, since it is locked.",
      "Die Datei ließ sich nicht öffnen, da sie gesperrt ist"
    ],
    ["Could not be opened.", "Geschlossen"],
    ["The file could not be opened, since it is locked.", "ไม่สามารถเปิดแฟ้มที่ถูกล็อคอยู่ได้", to("th")]
  ]
})

table(Check.controlCharacters, {
  found: [
    ["Hello", "\u202eHallo"],
    ["Hello", "Hal\u0007lo"],
    ["Hello", "Hall\ufffd"],
    ["Hello", "\u2067مرحبا", to("ar")],
    ["Hello", "\u202eمرحبا\u202c", to("ar")]
  ],
  passed: [
    ["Hello\n\there", "Hallo\n\thier"],
    ["\u202eHello", "\u202eHallo"],
    ["Open %s", "فتح \u2066%s\u2069\u200f", to("ar")],
    ["URL", "\u200f\u202aURL", to("he")]
  ]
})

table(Check.brackets, {
  found: [
    ["House (old)", "Haus (alt"],
    ["House (old)", "Haus alt)"],
    ["Key [x]", "「キー", to("ja")]
  ],
  passed: [
    ["House (old)", "家（古い）", to("ja")],
    ["a) first", "a) erstens"],
    ["House", "Haus (alt)"],
    ["missing '('", "fehlende »(«"],
    ["It works!", "Es geht! :-)"]
  ]
})

table(Check.quotes, {
  found: [
    ['Open "x"', 'Öffne "x'],
    ["Open “x”", "Öffne „x"],
    ['Open "x"', "Öffne x"],
    ["Open “x”", "Ouvrir l'x", to("fr")],
    ['<a href="x">Home</a>', "<a href=x>Start</a>"],
    [`Open "x". ${"It is old. ".repeat(50)}`, `Öffne x. ${"Es ist alt. ".repeat(50)}`],
    ["The 'x' is \"old\".", "“Das ‚x‘ ist „alt“.”"],
    ["The house is old.", '"Das Haus ist alt."'],
    ["The house is old.", "「家は古いです。」", to("ja")]
  ],
  passed: [
    ['Open "x"', "Öffne ‚x‘"],
    ['Open "x"', "『x』を開く", to("ja")],
    ['Open "x"', "Ouvrir &laquo;x&raquo;", to("fr")],
    ["The house is 'old'.", "„Das Haus ist alt.“"],
    ['Open "x"', "Öffne »x«"],
    ['A 5" disk', 'Eine 5"-Diskette'],
    [`The "old" and "new" ${"house ".repeat(30)}`, `Das alte und neue ${"Haus ".repeat(30)}`],
    ["Don't", "Nicht"],
    ["the army", 'צה"ל', to("he")]
  ]
})

table(Check.encoding, {
  found: [
    ["Houses", "H?user"],
    ["Open", "?ffnen"],
    ["The coffee.", "Caf?."],
    ["Coffee", "Caf?", to("fr")],
    ["Really? Houses?", "Wirklich? H?user?"],
    ["Houses", "????", to("ru")],
    ["Houses", "HÃ¤user"],
    ["Houses", "Ð´Ð¾Ð¼Ð°", to("ru")],
    ["Houses", "å®¶", to("ja")],
    ["Price: 5 €", "Preis: 5 â‚¬"],
    ["Houses", "H\\u00e4user"],
    ["Houses", "H\\xe4user"],
    ["Houses", "H&#228;user"],
    ["R & D", "F &amp; E"],
    ["<b>R & D</b>", "<b>F &amp; E</b>"],
    ["R &amp; D", "F &amp;amp; E"],
    ["&laquo; Back", "laquo; Zurück"],
    ["Don't", "N&#39;oubliez pas", to("fr")]
  ],
  passed: [
    ["Is it old?", "Ist es alt?"],
    ["Whether it is old", "Ist es alt?"],
    ["Do you want this", "Voulez-vous cela ?", to("fr")],
    ["See index.php?id=1", "Siehe index.php?id=1"],
    ["Houses", "„HÄUSER“"],
    ["It's “É”", "C'est « É »", to("fr")],
    ["The sign Ã¤", "Das Zeichen Ã¤"],
    ["Write \\u00e4", "Schreibe \\u00e4"],
    ["Search:", "Recherche&nbsp;:", to("fr")],
    ["R &amp; D", "F &amp; E"],
    ["<b>R</b>", "<b>F &raquo;</b>"]
  ]
})

table(Check.accelerators, {
  found: [
    ["&File", "Datei"],
    ["E&xit", "Beenden"],
    ["_Open …", "Öffnen …"],
    ["Status_bar", "Statusleiste"],
    ["Save &as", "名前を付けて保存", to("ja")]
  ],
  passed: [
    ["&File", "&Datei"],
    ["&File", "ファイル(&F)", to("ja")],
    ["_Open", "Ö_ffnen"],
    ["AT&T", "AT+T"],
    ["R & D", "F und E"],
    ["&amp;", "und"],
    ["change_time", "Änderungszeit"],
    ["Asia/New_York", "New York"],
    [`${"long ".repeat(20)}&File`, "Datei"]
  ]
})

table(Check.markup, {
  found: [
    ["A **bold** word", "Ein fettes Wort"],
    ["A **bold** word", "Ein **fettes Wort"],
    ["Run `npm test`", "Führe npm test aus"],
    ["# Title\n\nText", "Titel\n\nText"],
    ["The house is old.", "```\nDas Haus ist alt.\n```"]
  ],
  passed: [
    ["A **bold** word", "Ein **fettes** Wort"],
    ["2 ** 3 ** 4", "2 hoch 3 hoch 4"],
    ["missing `)'", "fehlende „)“"],
    ["Run `npm test`", "Führe „npm test“ aus"],
    ["Run `npm test`", "`npm test` ausführen"],
    ["## Title", "## Titel"],
    ["#1 is old", "Nummer 1 ist alt"],
    ["```\nx\n```", "```\nx\n```"]
  ]
})

const terms = new Map([
  ["file", "Datei"],
  ["access key", "Zugriffsschlüssel"],
  ["鍵", "Schlüssel"]
])

table(Check.glossary, {
  found: [
    ["Open the file", "Öffne das Dokument", { glossary: terms }],
    ["An Access Key", "Ein Zugangsschlüssel", { glossary: terms }],
    ["新しい鍵を作る", "Neu anlegen", { sourceLang: "ja", glossary: terms }]
  ],
  passed: [
    ["Open the file", "Öffne alle Dateien", { glossary: terms }],
    ["The profile", "Das Profil", { glossary: terms }],
    ["Access keys", "Schlüssel", { glossary: terms }],
    ["Open the file", "Öffne das Dokument"]
  ]
})

table(Check.modelReply, {
  found: [
    ["The house is old.", "As an AI, I cannot translate this."],
    ["The house is old.", "Als KI kann ich das nicht übersetzen."],
    ["The house is old.", "En tant qu'IA, je ne peux pas traduire cela.", to("fr")],
    ["The house is old.", "AIとして、これを翻訳することはできません。", to("ja")],
    ["The house is old.", "Как ИИ, я не могу это перевести.", to("ru")],
    ["The house is old.", "Hier ist die Übersetzung: Das Haus ist alt."],
    ["The house is old.", "Der Text auf Deutsch:\n\nDas Haus ist alt."],
    ["The house is old.", "यह रहा अनुवाद: घर पुराना है।", to("hi")],
    ["The house is old.", "मैं इस काम में आपकी मदद नहीं कर सकता।", to("hi")],
    ["The house is old.", "ขออภัย ฉันไม่สามารถแปลข้อความนี้ได้", to("th")],
    ["The house is old.", "Valitettavasti en pysty auttamaan tässä.", to("fi")],
    ["The house is old.", "Bu isteğe yardımcı olamam.", to("tr")],
    ["The house is old.", "אני מתנצל, אבל אינני יכול לעשות זאת.", to("he")],
    ["The house is old.", "申し訳ございませんが、対応できかねます。", to("ja")],
    ["The house is old.", "죄송합니다만 이 문장은 번역해 드릴 수 없습니다.", to("ko")]
  ],
  passed: [
    ["The AI plays white.", "Die KI spielt Weiß."],
    ["Artificial Intelligence", "Künstliche Intelligenz"],
    ["Sorry, this cannot be done.", "Das geht leider nicht."],
    ["Sorry, I cannot open the file.", "Es tut mir leid, ich kann die Datei nicht öffnen."],
    ["The translation of this text", "Die Übersetzung dieses Textes"],
    ["The program is compiled", "Program je přeložen", to("cs")],
    ["In isolation", "Em isolamento", to("pt")],
    ["In German", "Auf Deutsch"],
    ["He takes it", "Ia", to("ro")]
  ]
})

describe("language", () => {
  const german =
    "Das Haus ist schon sehr alt, und seit vielen Jahren wohnt niemand mehr darin, weil das Dach ein großes Loch hat."

  it.effect("finds a text that is in another language", () =>
    Effect.map(Check.language, (check) => {
      expect(find(check, ["", german, to("fr")]).map((finding) => finding.check)).toEqual(["language"])
    })
  )

  it("says how to install its detector, where that is missing", () => {
    const { devDependencies, peerDependencies, peerDependenciesMeta } = manifest
    const [version] = /^\d+\.\d+/.exec(devDependencies.eld)!
    expect(new Check.DetectorMissing({}).message).toContain(`npm install eld@${version}`)
    expect(peerDependencies.eld).toBe(`^${devDependencies.eld}`)
    expect(peerDependenciesMeta.eld.optional).toBe(true)
  })

  it.effect("lets pass a text that is in its language, and a short one in any", () =>
    Effect.map(Check.language, (check) => {
      expect(find(check, ["", german, to("de-CH")])).toEqual([])
      expect(find(check, ["", german.slice(0, 79), to("fr")])).toEqual([])
    })
  )
})

describe("findings", () => {
  const source = 'In 2026 the <b>house</b> was old. See "https://example.org/a" for it. Nobody lives there.'
  const good = "Im Jahr 2026 war das <b>Haus</b> alt. Siehe „https://example.org/a“ dazu. Dort wohnt niemand."

  it.each([
    ["an empty text", ""],
    ["the source itself", source],
    ["another number", good.replace("2026", "2062")],
    ["nine repetitions", good.replace("alt", "alt alt alt alt alt alt alt alt alt")],
    ["one word", "Haus"],
    ["a model that speaks of itself", "Als KI kann ich diesen Text leider nicht übersetzen."],
    ["a lost tag", good.replace("</b>", "")],
    ["an override of the direction", `\u202e${good}`],
    ["another URL", good.replace("example.org/a", "example.org/b")],
    ["a lost sentence", good.replace(" Dort wohnt niemand.", "")]
  ])("are made of %s", (_, translation) => {
    expect(Check.findings(Check.defaults, pair([source, translation]))).not.toEqual([])
  })

  it("are not made of a good translation", () => {
    expect(Check.findings(Check.defaults, pair([source, good]))).toEqual([])
  })

  it("come from a check of one's own as from others", () => {
    const own: Check.Check = {
      name: "noExclamation",
      find: ({ translation }) => {
        const start = translation.indexOf("!")
        return start === -1
          ? []
          : [
              {
                check: "noExclamation",
                severity: "warning",
                explanation: "The house does not shout.",
                source: [],
                translation: [{ start, end: start + 1 }]
              }
            ]
      }
    }
    const found = Check.findings([...Check.defaults, own], pair(["Hello", "Hallo!"]))
    expect(found.map((finding) => finding.check)).toEqual(["noExclamation"])
  })

  it("say where it is in both texts", () => {
    const [finding] = Check.findings([Check.numbers], pair(["In 2026 it began.", "2062 fing es an."]))
    expect(finding).toMatchObject({ source: [{ start: 3, end: 7 }], translation: [{ start: 0, end: 4 }] })
  })
})
