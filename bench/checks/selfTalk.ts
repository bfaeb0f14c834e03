/** What models say of themselves or of the task, in the language that they should translate into. */
import type { Language } from "./languages.js"

interface SelfTalk {
  /** In place of a translation. */
  readonly refusals: ReadonlyArray<string>
  /** Before it. */
  readonly introductions: ReadonlyArray<string>
  /** Behind it. */
  readonly notes: ReadonlyArray<string>
}

export const selfTalk: Record<Language, SelfTalk> = {
  ar: {
    refusals: [
      "عذرًا، لا يمكنني ترجمة هذا النص.",
      "بصفتي نموذجًا لغويًا، لا أستطيع المساعدة في هذا الطلب.",
      "أعتذر، لكن لا يمكنني تلبية طلبك. هل يمكنني مساعدتك في شيء آخر؟",
      "يرجى تزويدي بالنص الذي تريد ترجمته.",
      "آسف، لا أستطيع المساعدة في ذلك.",
      "بصفتي ذكاءً اصطناعيًا، لا يمكنني ترجمة هذا المحتوى.",
      "لا يمكنني ترجمة هذا النص لأنه ينتهك إرشاداتنا.",
      "يبدو أن النص غير مكتمل. هل يمكنك تزويدي بمزيد من السياق؟",
      "لسوء الحظ، لا يمكنني تقديم ترجمة لهذا."
    ],
    introductions: [
      "إليك الترجمة:",
      "بالتأكيد! إليك الترجمة العربية للنص:",
      "فيما يلي ترجمة النص إلى العربية:",
      "الترجمة:",
      "هذا هو النص المترجم:",
      "بالطبع، إليك ترجمتك:",
      "الترجمة العربية:"
    ],
    notes: [
      "ملاحظة: أبقيت المصطلحات التقنية كما هي في النص الأصلي.",
      "(ملاحظة المترجم: لا يوجد مقابل دقيق لهذه العبارة.)",
      "آمل أن تكون هذه الترجمة مفيدة. أخبرني إذا احتجت إلى أي تعديل!"
    ]
  },
  bg: {
    refusals: [
      "Съжалявам, но не мога да преведа този текст.",
      "Като езиков модел не мога да помогна с тази заявка.",
      "За съжаление не мога да изпълня тази молба. Мога ли да помогна с нещо друго?",
      "Моля, предоставете текста, който искате да преведа.",
      "Съжалявам, но не мога да помогна с това.",
      "Като изкуствен интелект не съм в състояние да преведа това съдържание.",
      "Не мога да преведа този текст, защото нарушава нашите правила.",
      "Текстът изглежда непълен. Бихте ли дали повече контекст?",
      "За съжаление не мога да предоставя превод на това."
    ],
    introductions: [
      "Ето превода:",
      "Разбира се! Ето превода на български:",
      "Преводът на текста на български език е следният:",
      "Превод:",
      "Преведеният текст:",
      "Разбира се, ето вашия превод:",
      "Превод на български:"
    ],
    notes: [
      "Забележка: Оставих техническите термини без превод.",
      "(Бележка на преводача: изразът няма точен еквивалент на български.)",
      "Надявам се преводът да ви е полезен. Кажете ми, ако искате промени!"
    ]
  },
  cs: {
    refusals: [
      "Omlouvám se, ale tento text nemohu přeložit.",
      "Jako jazykový model vám s tímto požadavkem nemohu pomoci.",
      "Bohužel nemohu tomuto požadavku vyhovět. Mohu pomoci s něčím jiným?",
      "Zadejte prosím text, který chcete přeložit.",
      "Je mi líto, ale s tím nemohu pomoci.",
      "Jako umělá inteligence nejsem schopen tento obsah přeložit.",
      "Tento text nemohu přeložit, protože porušuje naše zásady.",
      "Text se zdá být neúplný. Můžete mi poskytnout více kontextu?",
      "Bohužel nemohu poskytnout překlad tohoto textu."
    ],
    introductions: [
      "Zde je překlad:",
      "Samozřejmě! Zde je český překlad textu:",
      "Překlad do češtiny zní takto:",
      "Překlad:",
      "Tady je přeložený text:",
      "Samozřejmě, zde je váš překlad:",
      "Český překlad:"
    ],
    notes: [
      "Poznámka: Technické termíny jsem ponechal v původním znění.",
      "(Pozn. překl.: Tento výraz nemá v češtině přesný ekvivalent.)",
      "Doufám, že vám překlad pomůže. Dejte mi vědět, pokud chcete něco upravit!"
    ]
  },
  da: {
    refusals: [
      "Beklager, men jeg kan ikke oversætte denne tekst.",
      "Som sprogmodel kan jeg ikke hjælpe med denne anmodning.",
      "Jeg kan desværre ikke imødekomme din forespørgsel. Kan jeg hjælpe med noget andet?",
      "Angiv venligst den tekst, du gerne vil have oversat.",
      "Beklager, men det kan jeg ikke hjælpe med.",
      "Som AI er jeg ikke i stand til at oversætte dette indhold.",
      "Jeg kan ikke oversætte denne tekst, fordi den strider mod vores retningslinjer.",
      "Teksten ser ud til at være ufuldstændig. Kan du give mig mere kontekst?",
      "Desværre kan jeg ikke levere en oversættelse af dette."
    ],
    introductions: [
      "Her er oversættelsen:",
      "Selvfølgelig! Her er den danske oversættelse af teksten:",
      "Teksten lyder på dansk således:",
      "Oversættelse:",
      "Her er den oversatte tekst:",
      "Selvfølgelig, her er din oversættelse:",
      "Dansk oversættelse:"
    ],
    notes: [
      "Bemærk: Jeg har bevaret de tekniske udtryk på engelsk.",
      "(Oversætterens note: Udtrykket har ikke nogen præcis pendant på dansk.)",
      "Jeg håber, at oversættelsen kan bruges. Sig endelig til, hvis noget skal ændres!"
    ]
  },
  de: {
    refusals: [
      "Es tut mir leid, aber ich kann diesen Text nicht übersetzen.",
      "Als KI-Sprachmodell kann ich bei dieser Anfrage nicht helfen.",
      "Leider kann ich dieser Bitte nicht nachkommen. Kann ich Ihnen anderweitig behilflich sein?",
      "Bitte geben Sie den Text an, den ich übersetzen soll.",
      "Tut mir leid, aber dabei kann ich nicht helfen.",
      "Als KI bin ich nicht in der Lage, diesen Inhalt zu übersetzen.",
      "Ich kann diesen Text nicht übersetzen, weil er gegen unsere Richtlinien verstößt.",
      "Der Text scheint unvollständig zu sein. Können Sie mir mehr Kontext geben?",
      "Leider kann ich dafür keine Übersetzung bereitstellen."
    ],
    introductions: [
      "Hier ist die Übersetzung:",
      "Gerne! Hier ist die deutsche Übersetzung des Textes:",
      "Der Text lautet auf Deutsch wie folgt:",
      "Übersetzung:",
      "Hier ist der übersetzte Text:",
      "Natürlich, hier ist Ihre Übersetzung:",
      "Deutsche Übersetzung:"
    ],
    notes: [
      "Hinweis: Ich habe die Fachbegriffe unverändert übernommen.",
      "(Anmerkung des Übersetzers: Für diese Wendung gibt es keine genaue Entsprechung.)",
      "Ich hoffe, die Übersetzung hilft Ihnen weiter. Sagen Sie mir gerne, wenn ich etwas anpassen soll!"
    ]
  },
  el: {
    refusals: [
      "Λυπάμαι, αλλά δεν μπορώ να μεταφράσω αυτό το κείμενο.",
      "Ως γλωσσικό μοντέλο, δεν μπορώ να βοηθήσω με αυτό το αίτημα.",
      "Δυστυχώς δεν μπορώ να ικανοποιήσω το αίτημά σας. Μπορώ να βοηθήσω με κάτι άλλο;",
      "Παρακαλώ δώστε μου το κείμενο που θέλετε να μεταφράσω.",
      "Λυπάμαι, αλλά δεν μπορώ να βοηθήσω με αυτό.",
      "Ως τεχνητή νοημοσύνη, δεν είμαι σε θέση να μεταφράσω αυτό το περιεχόμενο.",
      "Δεν μπορώ να μεταφράσω αυτό το κείμενο επειδή παραβιάζει τις οδηγίες μας.",
      "Το κείμενο φαίνεται ελλιπές. Μπορείτε να μου δώσετε περισσότερο πλαίσιο;",
      "Δυστυχώς δεν μπορώ να παράσχω μετάφραση για αυτό."
    ],
    introductions: [
      "Ορίστε η μετάφραση:",
      "Φυσικά! Ακολουθεί η μετάφραση στα ελληνικά:",
      "Το κείμενο στα ελληνικά έχει ως εξής:",
      "Μετάφραση:",
      "Το μεταφρασμένο κείμενο:",
      "Φυσικά, ορίστε η μετάφρασή σας:",
      "Ελληνική μετάφραση:"
    ],
    notes: [
      "Σημείωση: Διατήρησα τους τεχνικούς όρους στα αγγλικά.",
      "(Σημείωση του μεταφραστή: η έκφραση δεν έχει ακριβές αντίστοιχο στα ελληνικά.)",
      "Ελπίζω η μετάφραση να σας είναι χρήσιμη. Πείτε μου αν χρειάζεστε αλλαγές!"
    ]
  },
  es: {
    refusals: [
      "Lo siento, pero no puedo traducir este texto.",
      "Como modelo de lenguaje, no puedo ayudarte con esta solicitud.",
      "Lamentablemente, no puedo cumplir con esa petición. ¿Puedo ayudarte con otra cosa?",
      "Por favor, proporcione el texto que desea que traduzca.",
      "Lo siento, pero no puedo ayudar con eso.",
      "Como inteligencia artificial, no soy capaz de traducir este contenido.",
      "No puedo traducir este texto porque infringe nuestras normas.",
      "El texto parece estar incompleto. ¿Podría darme más contexto?",
      "Lamentablemente no puedo ofrecer una traducción de esto."
    ],
    introductions: [
      "Aquí tienes la traducción:",
      "¡Claro! Esta es la traducción al español del texto:",
      "El texto traducido al español es el siguiente:",
      "Traducción:",
      "Este es el texto traducido:",
      "Por supuesto, aquí tiene su traducción:",
      "Traducción al español:"
    ],
    notes: [
      "Nota: He mantenido los términos técnicos en inglés.",
      "(Nota del traductor: esta expresión no tiene un equivalente exacto en español.)",
      "Espero que la traducción te sea útil. ¡Avísame si necesitas algún cambio!"
    ]
  },
  et: {
    refusals: [
      "Vabandust, aga ma ei saa seda teksti tõlkida.",
      "Keelemudelina ei saa ma selle palvega aidata.",
      "Kahjuks ei saa ma seda soovi täita. Kas saan millegi muuga aidata?",
      "Palun esitage tekst, mida soovite tõlkida.",
      "Vabandust, aga ma ei saa sellega aidata.",
      "Tehisintellektina ei ole ma võimeline seda sisu tõlkima.",
      "Ma ei saa seda teksti tõlkida, sest see rikub meie juhiseid.",
      "Tekst tundub olevat poolik. Kas saaksite anda rohkem konteksti?",
      "Kahjuks ei saa ma selle kohta tõlget pakkuda."
    ],
    introductions: [
      "Siin on tõlge:",
      "Muidugi! Siin on teksti eestikeelne tõlge:",
      "Tekst on eesti keeles järgmine:",
      "Tõlge:",
      "Siin on tõlgitud tekst:",
      "Muidugi, siin on teie tõlge:",
      "Eestikeelne tõlge:"
    ],
    notes: [
      "Märkus: jätsin tehnilised terminid tõlkimata.",
      "(Tõlkija märkus: sellel väljendil pole eesti keeles täpset vastet.)",
      "Loodan, et tõlkest on abi. Andke teada, kui soovite midagi muuta!"
    ]
  },
  fi: {
    refusals: [
      "Valitettavasti en voi kääntää tätä tekstiä.",
      "Kielimallina en voi auttaa tässä pyynnössä.",
      "Pahoittelut, mutta en voi toteuttaa pyyntöäsi. Voinko auttaa jossain muussa?",
      "Anna teksti, jonka haluat minun kääntävän.",
      "Valitettavasti en voi auttaa siinä.",
      "Tekoälynä en pysty kääntämään tätä sisältöä.",
      "En voi kääntää tätä tekstiä, koska se rikkoo ohjeitamme.",
      "Teksti vaikuttaa keskeneräiseltä. Voisitko antaa lisää kontekstia?",
      "Ikävä kyllä en voi tarjota käännöstä tälle."
    ],
    introductions: [
      "Tässä on käännös:",
      "Totta kai! Tässä on tekstin suomenkielinen käännös:",
      "Teksti kuuluu suomeksi seuraavasti:",
      "Käännös:",
      "Tässä on käännetty teksti:",
      "Totta kai, tässä on käännöksesi:",
      "Suomenkielinen käännös:"
    ],
    notes: [
      "Huomautus: Säilytin tekniset termit englanniksi.",
      "(Kääntäjän huomautus: ilmaukselle ei ole tarkkaa suomenkielistä vastinetta.)",
      "Toivottavasti käännöksestä on apua. Kerro, jos haluat muutoksia!"
    ]
  },
  fr: {
    refusals: [
      "Je suis désolé, mais je ne peux pas traduire ce texte.",
      "En tant que modèle de langage, je ne peux pas répondre à cette demande.",
      "Malheureusement, je ne suis pas en mesure de satisfaire cette demande. Puis-je vous aider autrement ?",
      "Veuillez fournir le texte que vous souhaitez traduire.",
      "Désolé, mais je ne peux pas vous aider avec cela.",
      "En tant qu'IA, je ne suis pas en mesure de traduire ce contenu.",
      "Je ne peux pas traduire ce texte, car il enfreint nos règles.",
      "Le texte semble incomplet. Pourriez-vous me donner plus de contexte ?",
      "Malheureusement, je ne peux pas fournir de traduction pour cela."
    ],
    introductions: [
      "Voici la traduction :",
      "Bien sûr ! Voici la traduction française du texte :",
      "Le texte se traduit en français comme suit :",
      "Traduction :",
      "Voici le texte traduit :",
      "Bien sûr, voici votre traduction :",
      "Traduction française :"
    ],
    notes: [
      "Remarque : j’ai conservé les termes techniques en anglais.",
      "(Note du traducteur : cette expression n’a pas d’équivalent exact en français.)",
      "J’espère que cette traduction vous convient. N’hésitez pas à me demander des modifications !"
    ]
  },
  he: {
    refusals: [
      "מצטער, אבל איני יכול לתרגם את הטקסט הזה.",
      "כמודל שפה, אינני יכול לסייע בבקשה זו.",
      "לצערי לא אוכל להיענות לבקשה. האם אפשר לעזור במשהו אחר?",
      "אנא ספקו את הטקסט שברצונכם לתרגם.",
      "מצטער, אבל אני לא יכול לעזור בזה.",
      "בתור בינה מלאכותית, איני מסוגל לתרגם את התוכן הזה.",
      "אני לא יכול לתרגם את הטקסט הזה כי הוא מפר את ההנחיות שלנו.",
      "נראה שהטקסט אינו שלם. האם תוכל לתת לי עוד הקשר?",
      "לצערי אין באפשרותי לספק תרגום לכך."
    ],
    introductions: [
      "הנה התרגום:",
      "בוודאי! הנה התרגום של הטקסט לעברית:",
      "להלן הטקסט בתרגום לעברית:",
      "תרגום:",
      "זהו הטקסט המתורגם:",
      "כמובן, הנה התרגום שלך:",
      "תרגום לעברית:"
    ],
    notes: [
      "הערה: השארתי את המונחים הטכניים באנגלית.",
      "(הערת המתרגם: לביטוי זה אין מקבילה מדויקת בעברית.)",
      "אני מקווה שהתרגום מועיל. אשמח לדעת אם נדרשים שינויים!"
    ]
  },
  hi: {
    refusals: [
      "माफ़ कीजिए, मैं इस पाठ का अनुवाद नहीं कर सकता।",
      "एक भाषा मॉडल के रूप में, मैं इस अनुरोध में सहायता नहीं कर सकता।",
      "मुझे खेद है, मैं आपका अनुरोध पूरा नहीं कर सकती। क्या मैं किसी और चीज़ में मदद कर सकती हूँ?",
      "कृपया वह पाठ दें जिसका आप अनुवाद चाहते हैं।",
      "क्षमा करें, लेकिन मैं इसमें मदद नहीं कर सकता।",
      "एक एआई के रूप में, मैं इस सामग्री का अनुवाद करने में सक्षम नहीं हूँ।",
      "मैं इस पाठ का अनुवाद नहीं कर सकता क्योंकि यह हमारे दिशानिर्देशों का उल्लंघन करता है।",
      "यह पाठ अधूरा लगता है। क्या आप मुझे और संदर्भ दे सकते हैं?",
      "दुर्भाग्य से मैं इसका अनुवाद प्रदान नहीं कर सकता।"
    ],
    introductions: [
      "यहाँ अनुवाद है:",
      "ज़रूर! यहाँ इस पाठ का हिंदी अनुवाद है:",
      "पाठ का हिंदी में अनुवाद इस प्रकार है:",
      "अनुवाद:",
      "अनुवादित पाठ यह है:",
      "ज़रूर, यह रहा आपका अनुवाद:",
      "हिंदी अनुवाद:"
    ],
    notes: [
      "नोट: मैंने तकनीकी शब्दों को मूल रूप में ही रखा है।",
      "(अनुवादक की टिप्पणी: इस वाक्यांश का कोई सटीक समकक्ष नहीं है।)",
      "आशा है कि यह अनुवाद आपके काम आएगा। यदि कोई बदलाव चाहिए तो बताएँ!"
    ]
  },
  hu: {
    refusals: [
      "Sajnálom, de ezt a szöveget nem tudom lefordítani.",
      "Nyelvi modellként ebben a kérésben nem tudok segíteni.",
      "Sajnos nem tudom teljesíteni a kérést. Segíthetek valami másban?",
      "Kérem, adja meg a lefordítandó szöveget.",
      "Sajnálom, de ebben nem tudok segíteni.",
      "Mesterséges intelligenciaként nem vagyok képes lefordítani ezt a tartalmat.",
      "Nem fordíthatom le ezt a szöveget, mert sérti az irányelveinket.",
      "A szöveg hiányosnak tűnik. Tudna több kontextust adni?",
      "Sajnos ehhez nem tudok fordítást adni."
    ],
    introductions: [
      "Íme a fordítás:",
      "Természetesen! Íme a szöveg magyar fordítása:",
      "A szöveg magyarul a következőképpen hangzik:",
      "Fordítás:",
      "Íme a lefordított szöveg:",
      "Természetesen, itt a fordítása:",
      "Magyar fordítás:"
    ],
    notes: [
      "Megjegyzés: A szakkifejezéseket változatlanul hagytam.",
      "(A fordító megjegyzése: a kifejezésnek nincs pontos magyar megfelelője.)",
      "Remélem, hasznos a fordítás. Szóljon, ha módosítani kell rajta!"
    ]
  },
  id: {
    refusals: [
      "Maaf, saya tidak dapat menerjemahkan teks ini.",
      "Sebagai model bahasa, saya tidak bisa membantu permintaan ini.",
      "Sayangnya saya tidak dapat memenuhi permintaan tersebut. Ada hal lain yang bisa saya bantu?",
      "Silakan berikan teks yang ingin Anda terjemahkan.",
      "Maaf, tetapi saya tidak bisa membantu dengan hal itu.",
      "Sebagai AI, saya tidak mampu menerjemahkan konten ini.",
      "Saya tidak dapat menerjemahkan teks ini karena melanggar pedoman kami.",
      "Teksnya tampaknya tidak lengkap. Bisakah Anda memberikan konteks lebih lanjut?",
      "Sayangnya saya tidak dapat memberikan terjemahan untuk ini."
    ],
    introductions: [
      "Berikut terjemahannya:",
      "Tentu! Berikut adalah terjemahan teks tersebut dalam bahasa Indonesia:",
      "Teks tersebut dalam bahasa Indonesia berbunyi sebagai berikut:",
      "Terjemahan:",
      "Ini teks yang sudah diterjemahkan:",
      "Tentu saja, ini terjemahan Anda:",
      "Terjemahan bahasa Indonesia:"
    ],
    notes: [
      "Catatan: Saya mempertahankan istilah teknis dalam bahasa Inggris.",
      "(Catatan penerjemah: ungkapan ini tidak memiliki padanan yang tepat.)",
      "Semoga terjemahan ini membantu. Beri tahu saya jika ada yang perlu diubah!"
    ]
  },
  it: {
    refusals: [
      "Mi dispiace, ma non posso tradurre questo testo.",
      "In quanto modello linguistico, non posso aiutarti con questa richiesta.",
      "Purtroppo non posso soddisfare la richiesta. Posso aiutarti con qualcos'altro?",
      "Fornisci il testo che desideri tradurre.",
      "Mi dispiace, ma non posso aiutarti con questo.",
      "In quanto intelligenza artificiale, non sono in grado di tradurre questo contenuto.",
      "Non posso tradurre questo testo perché viola le nostre linee guida.",
      "Il testo sembra incompleto. Potresti fornirmi più contesto?",
      "Purtroppo non posso fornire una traduzione per questo."
    ],
    introductions: [
      "Ecco la traduzione:",
      "Certo! Ecco la traduzione italiana del testo:",
      "Il testo tradotto in italiano è il seguente:",
      "Traduzione:",
      "Ecco il testo tradotto:",
      "Certo, ecco la tua traduzione:",
      "Traduzione italiana:"
    ],
    notes: [
      "Nota: ho mantenuto i termini tecnici in inglese.",
      "(N.d.T.: l'espressione non ha un equivalente esatto in italiano.)",
      "Spero che la traduzione ti sia utile. Fammi sapere se vuoi delle modifiche!"
    ]
  },
  ja: {
    refusals: [
      "申し訳ありませんが、このテキストを翻訳することはできません。",
      "私はAI言語モデルであるため、このご依頼にはお答えできません。",
      "恐れ入りますが、ご要望にはお応えできません。ほかにお手伝いできることはありますか？",
      "翻訳したいテキストを入力してください。",
      "すみませんが、それについてはお手伝いできません。",
      "AIとして、この内容を翻訳することはできかねます。",
      "ガイドラインに違反しているため、このテキストは翻訳できません。",
      "テキストが不完全なようです。もう少し文脈を教えていただけますか？",
      "残念ながら、翻訳を提供することはできません。"
    ],
    introductions: [
      "以下が翻訳です：",
      "もちろんです！以下は日本語訳です。",
      "このテキストを日本語に訳すと次のようになります：",
      "翻訳：",
      "翻訳されたテキストは次のとおりです：",
      "はい、こちらが翻訳になります：",
      "日本語訳："
    ],
    notes: [
      "注：専門用語は原文のまま残しました。",
      "（訳注：この表現に正確に対応する日本語はありません。）",
      "翻訳がお役に立てば幸いです。修正が必要でしたらお知らせください。"
    ]
  },
  ko: {
    refusals: [
      "죄송하지만 이 텍스트는 번역할 수 없습니다.",
      "저는 AI 언어 모델로서 이 요청을 도와드릴 수 없습니다.",
      "안타깝게도 요청을 들어드릴 수 없습니다. 다른 도움이 필요하신가요?",
      "번역할 텍스트를 입력해 주세요.",
      "죄송하지만 그 부분은 도와드릴 수 없습니다.",
      "AI로서 이 내용을 번역할 수 없습니다.",
      "이 텍스트는 가이드라인을 위반하므로 번역할 수 없습니다.",
      "텍스트가 불완전한 것 같습니다. 맥락을 더 알려 주시겠어요?",
      "안타깝게도 이에 대한 번역을 제공할 수 없습니다."
    ],
    introductions: [
      "번역은 다음과 같습니다:",
      "물론입니다! 다음은 한국어 번역입니다:",
      "위 텍스트를 한국어로 번역하면 다음과 같습니다.",
      "번역:",
      "번역된 텍스트는 다음과 같습니다:",
      "네, 요청하신 번역입니다:",
      "한국어 번역:"
    ],
    notes: [
      "참고: 기술 용어는 영어 그대로 두었습니다.",
      "(역자 주: 이 표현에 정확히 대응하는 한국어는 없습니다.)",
      "번역이 도움이 되었기를 바랍니다. 수정이 필요하면 말씀해 주세요!"
    ]
  },
  lt: {
    refusals: [
      "Atsiprašau, bet negaliu išversti šio teksto.",
      "Kaip kalbos modelis, negaliu padėti įvykdyti šio prašymo.",
      "Deja, negaliu patenkinti šio prašymo. Gal galiu padėti kuo nors kitu?",
      "Pateikite tekstą, kurį norite išversti.",
      "Atsiprašau, bet su tuo padėti negaliu.",
      "Kaip dirbtinis intelektas, negaliu išversti šio turinio.",
      "Negaliu išversti šio teksto, nes jis pažeidžia mūsų gaires.",
      "Atrodo, kad tekstas neišsamus. Ar galėtumėte pateikti daugiau konteksto?",
      "Deja, negaliu pateikti šio teksto vertimo."
    ],
    introductions: [
      "Štai vertimas:",
      "Žinoma! Štai teksto vertimas į lietuvių kalbą:",
      "Lietuviškai tekstas skamba taip:",
      "Vertimas:",
      "Štai išverstas tekstas:",
      "Žinoma, štai jūsų vertimas:",
      "Lietuviškas vertimas:"
    ],
    notes: [
      "Pastaba: techninius terminus palikau neišverstus.",
      "(Vertėjo pastaba: šis posakis neturi tikslaus atitikmens.)",
      "Tikiuosi, vertimas jums pravers. Praneškite, jei reikia pakeitimų!"
    ]
  },
  lv: {
    refusals: [
      "Atvainojiet, bet es nevaru iztulkot šo tekstu.",
      "Kā valodas modelis es nevaru palīdzēt ar šo pieprasījumu.",
      "Diemžēl nevaru izpildīt šo lūgumu. Vai varu palīdzēt ar ko citu?",
      "Lūdzu, norādiet tekstu, kuru vēlaties iztulkot.",
      "Diemžēl es nevaru ar to palīdzēt.",
      "Kā mākslīgais intelekts es nespēju iztulkot šo saturu.",
      "Es nevaru iztulkot šo tekstu, jo tas pārkāpj mūsu vadlīnijas.",
      "Šķiet, ka teksts ir nepilnīgs. Vai varat sniegt vairāk konteksta?",
      "Diemžēl nevaru sniegt šī teksta tulkojumu."
    ],
    introductions: [
      "Lūk, tulkojums:",
      "Protams! Šeit ir teksta tulkojums latviešu valodā:",
      "Teksts latviski ir šāds:",
      "Tulkojums:",
      "Lūk, iztulkotais teksts:",
      "Protams, šeit ir jūsu tulkojums:",
      "Tulkojums latviešu valodā:"
    ],
    notes: [
      "Piezīme: tehniskos terminus atstāju netulkotus.",
      "(Tulkotāja piezīme: šim izteicienam nav precīza ekvivalenta.)",
      "Ceru, ka tulkojums noderēs. Dodiet ziņu, ja nepieciešamas izmaiņas!"
    ]
  },
  nb: {
    refusals: [
      "Beklager, men jeg kan ikke oversette denne teksten.",
      "Som språkmodell kan jeg ikke hjelpe med denne forespørselen.",
      "Dessverre kan jeg ikke etterkomme ønsket. Er det noe annet jeg kan hjelpe med?",
      "Vennligst oppgi teksten du vil ha oversatt.",
      "Beklager, men det kan jeg ikke hjelpe med.",
      "Som KI er jeg ikke i stand til å oversette dette innholdet.",
      "Jeg kan ikke oversette denne teksten fordi den bryter med retningslinjene våre.",
      "Teksten ser ut til å være ufullstendig. Kan du gi meg mer kontekst?",
      "Dessverre kan jeg ikke gi en oversettelse av dette."
    ],
    introductions: [
      "Her er oversettelsen:",
      "Selvsagt! Her er den norske oversettelsen av teksten:",
      "Teksten lyder slik på norsk:",
      "Oversettelse:",
      "Her er den oversatte teksten:",
      "Selvfølgelig, her er oversettelsen din:",
      "Norsk oversettelse:"
    ],
    notes: [
      "Merk: Jeg har beholdt de tekniske begrepene på engelsk.",
      "(Oversetterens merknad: Uttrykket har ingen nøyaktig motsvarighet på norsk.)",
      "Håper oversettelsen er til hjelp. Si fra hvis du ønsker endringer!"
    ]
  },
  nl: {
    refusals: [
      "Het spijt me, maar ik kan deze tekst niet vertalen.",
      "Als taalmodel kan ik niet helpen met dit verzoek.",
      "Helaas kan ik niet aan dit verzoek voldoen. Kan ik ergens anders mee helpen?",
      "Geef de tekst op die u wilt laten vertalen.",
      "Sorry, maar daar kan ik niet mee helpen.",
      "Als AI ben ik niet in staat om deze inhoud te vertalen.",
      "Ik kan deze tekst niet vertalen omdat hij in strijd is met onze richtlijnen.",
      "De tekst lijkt onvolledig te zijn. Kunt u mij meer context geven?",
      "Helaas kan ik hiervan geen vertaling geven."
    ],
    introductions: [
      "Hier is de vertaling:",
      "Natuurlijk! Hier is de Nederlandse vertaling van de tekst:",
      "De tekst luidt in het Nederlands als volgt:",
      "Vertaling:",
      "Dit is de vertaalde tekst:",
      "Natuurlijk, hier is uw vertaling:",
      "Nederlandse vertaling:"
    ],
    notes: [
      "Opmerking: Ik heb de technische termen onvertaald gelaten.",
      "(Noot van de vertaler: voor deze uitdrukking bestaat geen exact equivalent.)",
      "Ik hoop dat de vertaling nuttig is. Laat het me weten als u iets wilt aanpassen!"
    ]
  },
  pl: {
    refusals: [
      "Przykro mi, ale nie mogę przetłumaczyć tego tekstu.",
      "Jako model językowy nie mogę pomóc w tej sprawie.",
      "Niestety nie mogę spełnić tej prośby. Czy mogę pomóc w czymś innym?",
      "Proszę podać tekst, który mam przetłumaczyć.",
      "Przykro mi, ale nie mogę w tym pomóc.",
      "Jako sztuczna inteligencja nie jestem w stanie przetłumaczyć tej treści.",
      "Nie mogę przetłumaczyć tego tekstu, ponieważ narusza on nasze wytyczne.",
      "Tekst wydaje się niekompletny. Czy możesz podać więcej kontekstu?",
      "Niestety nie mogę udostępnić tłumaczenia tego tekstu."
    ],
    introductions: [
      "Oto tłumaczenie:",
      "Oczywiście! Oto polskie tłumaczenie tekstu:",
      "Tekst w języku polskim brzmi następująco:",
      "Tłumaczenie:",
      "Oto przetłumaczony tekst:",
      "Oczywiście, oto Twoje tłumaczenie:",
      "Tłumaczenie na polski:"
    ],
    notes: [
      "Uwaga: terminy techniczne pozostawiłem w oryginale.",
      "(Przypis tłumacza: to wyrażenie nie ma dokładnego odpowiednika w języku polskim.)",
      "Mam nadzieję, że tłumaczenie będzie pomocne. Daj znać, jeśli coś trzeba zmienić!"
    ]
  },
  "pt-BR": {
    refusals: [
      "Desculpe, mas não posso traduzir este texto.",
      "Como modelo de linguagem, não consigo ajudar com esta solicitação.",
      "Infelizmente, não posso atender a esse pedido. Posso ajudar com outra coisa?",
      "Por favor, forneça o texto que você deseja traduzir.",
      "Desculpe, mas não posso ajudar com isso.",
      "Como uma IA, não sou capaz de traduzir este conteúdo.",
      "Não posso traduzir este texto porque ele viola nossas diretrizes.",
      "O texto parece estar incompleto. Você poderia me dar mais contexto?",
      "Infelizmente, não posso fornecer uma tradução para isso."
    ],
    introductions: [
      "Aqui está a tradução:",
      "Claro! Segue a tradução do texto para o português:",
      "O texto em português fica assim:",
      "Tradução:",
      "Este é o texto traduzido:",
      "Com certeza, aqui está sua tradução:",
      "Tradução para o português:"
    ],
    notes: [
      "Observação: mantive os termos técnicos em inglês.",
      "(Nota do tradutor: esta expressão não tem equivalente exato em português.)",
      "Espero que a tradução ajude. Me avise se quiser alguma alteração!"
    ]
  },
  "pt-PT": {
    refusals: [
      "Lamento, mas não consigo traduzir este texto.",
      "Enquanto modelo de linguagem, não posso ajudar com este pedido.",
      "Infelizmente, não me é possível satisfazer esse pedido. Posso ajudá-lo com outro assunto?",
      "Indique, por favor, o texto que pretende traduzir.",
      "Lamento, mas não posso ajudar com isso.",
      "Sendo uma IA, não sou capaz de traduzir este conteúdo.",
      "Não posso traduzir este texto porque viola as nossas diretrizes.",
      "O texto parece estar incompleto. Poderia dar-me mais contexto?",
      "Infelizmente, não posso fornecer uma tradução deste texto."
    ],
    introductions: [
      "Eis a tradução:",
      "Com certeza! Aqui tem a tradução do texto para português:",
      "O texto traduzido para português é o seguinte:",
      "Tradução:",
      "Este é o texto traduzido:",
      "Com certeza, aqui está a sua tradução:",
      "Tradução portuguesa:"
    ],
    notes: [
      "Nota: mantive os termos técnicos em inglês.",
      "(N. do T.: esta expressão não tem equivalente exato em português.)",
      "Espero que a tradução lhe seja útil. Diga-me se pretende alguma alteração!"
    ]
  },
  ro: {
    refusals: [
      "Îmi pare rău, dar nu pot traduce acest text.",
      "Fiind un model lingvistic, nu vă pot ajuta cu această solicitare.",
      "Din păcate, nu pot îndeplini această cerere. Vă pot ajuta cu altceva?",
      "Vă rog să furnizați textul pe care doriți să îl traduc.",
      "Îmi pare rău, dar nu pot ajuta cu asta.",
      "Ca inteligență artificială, nu sunt capabil să traduc acest conținut.",
      "Nu pot traduce acest text deoarece încalcă regulile noastre.",
      "Textul pare să fie incomplet. Îmi puteți oferi mai mult context?",
      "Din păcate, nu pot furniza o traducere pentru acest text."
    ],
    introductions: [
      "Iată traducerea:",
      "Desigur! Iată traducerea textului în limba română:",
      "Textul în limba română este următorul:",
      "Traducere:",
      "Acesta este textul tradus:",
      "Desigur, iată traducerea dumneavoastră:",
      "Traducere în română:"
    ],
    notes: [
      "Notă: am păstrat termenii tehnici în limba engleză.",
      "(Nota traducătorului: expresia nu are un echivalent exact în română.)",
      "Sper că traducerea vă este de folos. Spuneți-mi dacă doriți modificări!"
    ]
  },
  ru: {
    refusals: [
      "К сожалению, я не могу перевести этот текст.",
      "Как языковая модель, я не могу помочь с этим запросом.",
      "Извините, но я не могу выполнить эту просьбу. Могу ли я помочь чем-то ещё?",
      "Пожалуйста, предоставьте текст, который нужно перевести.",
      "Извините, но я не могу с этим помочь.",
      "Как искусственный интеллект, я не в состоянии перевести это содержимое.",
      "Я не могу перевести этот текст, так как он нарушает наши правила.",
      "Похоже, текст неполный. Не могли бы вы предоставить больше контекста?",
      "К сожалению, я не могу предоставить перевод этого текста."
    ],
    introductions: [
      "Вот перевод:",
      "Конечно! Вот перевод текста на русский язык:",
      "Текст на русском языке звучит следующим образом:",
      "Перевод:",
      "Переведённый текст:",
      "Конечно, вот ваш перевод:",
      "Русский перевод:"
    ],
    notes: [
      "Примечание: технические термины я оставил без перевода.",
      "(Примечание переводчика: у этого выражения нет точного соответствия в русском языке.)",
      "Надеюсь, перевод вам поможет. Дайте знать, если нужно что-то изменить!"
    ]
  },
  sk: {
    refusals: [
      "Ospravedlňujem sa, ale tento text nemôžem preložiť.",
      "Ako jazykový model vám s touto požiadavkou nemôžem pomôcť.",
      "Žiaľ, tejto požiadavke nemôžem vyhovieť. Môžem pomôcť s niečím iným?",
      "Zadajte, prosím, text, ktorý chcete preložiť.",
      "Je mi ľúto, ale s tým nemôžem pomôcť.",
      "Ako umelá inteligencia nie som schopný preložiť tento obsah.",
      "Tento text nemôžem preložiť, pretože porušuje naše zásady.",
      "Text sa zdá byť neúplný. Môžete mi poskytnúť viac kontextu?",
      "Žiaľ, nemôžem poskytnúť preklad tohto textu."
    ],
    introductions: [
      "Tu je preklad:",
      "Samozrejme! Tu je slovenský preklad textu:",
      "Text v slovenčine znie takto:",
      "Preklad:",
      "Tu je preložený text:",
      "Samozrejme, tu je váš preklad:",
      "Slovenský preklad:"
    ],
    notes: [
      "Poznámka: Technické výrazy som ponechal v pôvodnom znení.",
      "(Pozn. prekl.: Tento výraz nemá v slovenčine presný ekvivalent.)",
      "Dúfam, že vám preklad pomôže. Dajte mi vedieť, ak chcete niečo zmeniť!"
    ]
  },
  sl: {
    refusals: [
      "Oprostite, vendar tega besedila ne morem prevesti.",
      "Kot jezikovni model vam pri tej zahtevi ne morem pomagati.",
      "Žal te prošnje ne morem izpolniti. Vam lahko pomagam pri čem drugem?",
      "Prosim, navedite besedilo, ki ga želite prevesti.",
      "Žal mi je, vendar pri tem ne morem pomagati.",
      "Kot umetna inteligenca te vsebine ne morem prevesti.",
      "Tega besedila ne morem prevesti, ker krši naše smernice.",
      "Besedilo se zdi nepopolno. Mi lahko poveste več o kontekstu?",
      "Na žalost ne morem zagotoviti prevoda tega besedila."
    ],
    introductions: [
      "Tukaj je prevod:",
      "Seveda! Tukaj je slovenski prevod besedila:",
      "Besedilo se v slovenščini glasi takole:",
      "Prevod:",
      "To je prevedeno besedilo:",
      "Seveda, tukaj je vaš prevod:",
      "Slovenski prevod:"
    ],
    notes: [
      "Opomba: Strokovne izraze sem pustil v izvirniku.",
      "(Opomba prevajalca: izraz nima natančne ustreznice v slovenščini.)",
      "Upam, da vam bo prevod koristil. Sporočite mi, če želite kaj spremeniti!"
    ]
  },
  sv: {
    refusals: [
      "Tyvärr kan jag inte översätta den här texten.",
      "Som språkmodell kan jag inte hjälpa till med denna begäran.",
      "Jag beklagar, men jag kan inte uppfylla din begäran. Kan jag hjälpa dig med något annat?",
      "Ange texten som du vill få översatt.",
      "Tyvärr kan jag inte hjälpa till med det.",
      "Som AI kan jag inte översätta det här innehållet.",
      "Jag kan inte översätta den här texten eftersom den bryter mot våra riktlinjer.",
      "Texten verkar vara ofullständig. Kan du ge mig mer sammanhang?",
      "Jag kan tyvärr inte tillhandahålla någon översättning av detta."
    ],
    introductions: [
      "Här är översättningen:",
      "Självklart! Här är den svenska översättningen av texten:",
      "Texten lyder på svenska som följer:",
      "Översättning:",
      "Här är den översatta texten:",
      "Självklart, här är din översättning:",
      "Svensk översättning:"
    ],
    notes: [
      "Obs! Jag har behållit de tekniska termerna på engelska.",
      "(Översättarens anmärkning: uttrycket saknar exakt motsvarighet på svenska.)",
      "Hoppas att översättningen är till hjälp. Säg till om du vill ändra något!"
    ]
  },
  th: {
    refusals: [
      "ขออภัย ฉันไม่สามารถแปลข้อความนี้ได้",
      "ในฐานะโมเดลภาษา ฉันไม่สามารถช่วยเหลือตามคำขอนี้ได้",
      "เสียใจด้วย ฉันไม่สามารถทำตามคำขอของคุณได้ มีอะไรอื่นให้ช่วยไหม",
      "กรุณาระบุข้อความที่คุณต้องการให้แปล",
      "ขออภัย แต่ฉันไม่สามารถช่วยเรื่องนั้นได้",
      "ในฐานะปัญญาประดิษฐ์ ฉันไม่สามารถแปลเนื้อหานี้ได้",
      "ผมไม่สามารถแปลข้อความนี้ได้เพราะขัดต่อแนวทางของเรา",
      "ข้อความดูเหมือนจะไม่สมบูรณ์ คุณช่วยให้บริบทเพิ่มเติมได้ไหม",
      "น่าเสียดายที่ไม่สามารถให้คำแปลสำหรับข้อความนี้ได้"
    ],
    introductions: ["นี่คือคำแปล:", "ได้เลย! นี่คือคำแปลภาษาไทยของข้อความ:", "ข้อความนี้แปลเป็นภาษาไทยได้ดังนี้:", "คำแปล:"],
    notes: [
      "หมายเหตุ: ฉันคงคำศัพท์เทคนิคไว้เป็นภาษาอังกฤษ",
      "(หมายเหตุผู้แปล: สำนวนนี้ไม่มีคำที่ตรงกันในภาษาไทย)",
      "หวังว่าคำแปลนี้จะเป็นประโยชน์ หากต้องการแก้ไขโปรดแจ้งให้ทราบ!",
      "ข้อความที่แปลแล้วคือ:",
      "แน่นอน นี่คือคำแปลของคุณ:",
      "คำแปลภาษาไทย:"
    ]
  },
  tr: {
    refusals: [
      "Üzgünüm, ancak bu metni çeviremiyorum.",
      "Bir dil modeli olarak bu isteğe yardımcı olamam.",
      "Maalesef bu talebi yerine getiremiyorum. Başka bir konuda yardımcı olabilir miyim?",
      "Lütfen çevrilmesini istediğiniz metni girin.",
      "Üzgünüm, bu konuda yardımcı olamam.",
      "Bir yapay zekâ olarak bu içeriği çeviremiyorum.",
      "Bu metni çeviremem çünkü kurallarımızı ihlal ediyor.",
      "Metin eksik görünüyor. Daha fazla bağlam verebilir misiniz?",
      "Ne yazık ki bunun için bir çeviri sunamıyorum."
    ],
    introductions: [
      "İşte çeviri:",
      "Elbette! İşte metnin Türkçe çevirisi:",
      "Metnin Türkçesi şu şekildedir:",
      "Çeviri:",
      "Çevrilmiş metin şöyle:",
      "Elbette, çeviriniz aşağıdadır:",
      "Türkçe çeviri:"
    ],
    notes: [
      "Not: Teknik terimleri İngilizce olarak bıraktım.",
      "(Çevirmenin notu: Bu ifadenin Türkçede tam bir karşılığı yoktur.)",
      "Umarım çeviri işinize yarar. Değişiklik isterseniz bana bildirin!"
    ]
  },
  uk: {
    refusals: [
      "На жаль, я не можу перекласти цей текст.",
      "Як мовна модель, я не можу допомогти з цим запитом.",
      "Вибачте, але я не можу виконати це прохання. Чи можу я допомогти чимось іншим?",
      "Будь ласка, надайте текст, який потрібно перекласти.",
      "Вибачте, але я не можу з цим допомогти.",
      "Як штучний інтелект, я не в змозі перекласти цей вміст.",
      "Я не можу перекласти цей текст, оскільки він порушує наші правила.",
      "Схоже, текст неповний. Чи не могли б ви надати більше контексту?",
      "На жаль, я не можу надати переклад цього тексту."
    ],
    introductions: [
      "Ось переклад:",
      "Звичайно! Ось переклад тексту українською мовою:",
      "Українською текст звучить так:",
      "Переклад:",
      "Перекладений текст:",
      "Звичайно, ось ваш переклад:",
      "Український переклад:"
    ],
    notes: [
      "Примітка: технічні терміни я залишив без перекладу.",
      "(Примітка перекладача: цей вислів не має точного відповідника в українській мові.)",
      "Сподіваюся, переклад стане в пригоді. Повідомте, якщо потрібно щось змінити!"
    ]
  },
  vi: {
    refusals: [
      "Xin lỗi, tôi không thể dịch văn bản này.",
      "Là một mô hình ngôn ngữ, tôi không thể hỗ trợ yêu cầu này.",
      "Rất tiếc, tôi không thể thực hiện yêu cầu của bạn. Tôi có thể giúp gì khác không?",
      "Vui lòng cung cấp văn bản mà bạn muốn dịch.",
      "Xin lỗi, nhưng tôi không thể giúp việc đó.",
      "Là một AI, tôi không có khả năng dịch nội dung này.",
      "Tôi không thể dịch văn bản này vì nó vi phạm nguyên tắc của chúng tôi.",
      "Văn bản có vẻ chưa đầy đủ. Bạn có thể cho tôi thêm ngữ cảnh không?",
      "Rất tiếc, tôi không thể cung cấp bản dịch cho nội dung này."
    ],
    introductions: [
      "Đây là bản dịch:",
      "Chắc chắn rồi! Dưới đây là bản dịch tiếng Việt của văn bản:",
      "Văn bản được dịch sang tiếng Việt như sau:",
      "Bản dịch:",
      "Văn bản đã dịch là:",
      "Tất nhiên, bản dịch của bạn đây:",
      "Bản dịch tiếng Việt:"
    ],
    notes: [
      "Lưu ý: Tôi giữ nguyên các thuật ngữ kỹ thuật bằng tiếng Anh.",
      "(Chú thích của người dịch: cụm từ này không có từ tương đương chính xác.)",
      "Hy vọng bản dịch này hữu ích. Hãy cho tôi biết nếu bạn muốn chỉnh sửa!"
    ]
  },
  "zh-Hans": {
    refusals: [
      "抱歉，我无法翻译这段文字。",
      "作为一个人工智能语言模型，我无法协助处理此请求。",
      "很遗憾，我不能满足您的要求。还有什么可以帮您的吗？",
      "请提供您需要翻译的文本。",
      "抱歉，这个我帮不上忙。",
      "作为人工智能，我无法翻译该内容。",
      "我不能翻译这段文字，因为它违反了我们的准则。",
      "文本似乎不完整。您能提供更多上下文吗？",
      "很遗憾，我无法提供这段内容的译文。"
    ],
    introductions: [
      "以下是翻译：",
      "当然可以！以下是这段文字的中文翻译：",
      "这段文字翻译成中文如下：",
      "译文：",
      "译文如下：",
      "没问题，这是您要的翻译：",
      "中文翻译："
    ],
    notes: [
      "注：我保留了原文中的技术术语。",
      "（译者注：该表达在中文里没有完全对应的说法。）",
      "希望这个翻译对您有所帮助。如需修改，请告诉我！"
    ]
  },
  "zh-Hant": {
    refusals: [
      "抱歉，我無法翻譯這段文字。",
      "身為人工智慧語言模型，我無法協助處理這項請求。",
      "很遺憾，我不能滿足您的要求。還有其他需要協助的地方嗎？",
      "請提供您想要翻譯的文字。",
      "抱歉，這個我幫不上忙。",
      "作為人工智慧，我無法翻譯該內容。",
      "我不能翻譯這段文字，因為它違反了我們的準則。",
      "文字似乎不完整。您能提供更多上下文嗎？",
      "很遺憾，我無法提供這段內容的譯文。"
    ],
    introductions: [
      "以下是翻譯：",
      "當然可以！以下是這段文字的中文翻譯：",
      "這段文字翻譯成中文如下：",
      "譯文：",
      "譯文如下：",
      "沒問題，這是您要的翻譯：",
      "中文翻譯："
    ],
    notes: [
      "註：我保留了原文中的技術術語。",
      "（譯者註：這個說法在中文裡沒有完全對應的詞。）",
      "希望這份翻譯對您有幫助。若需要修改，請告訴我！"
    ]
  }
}
