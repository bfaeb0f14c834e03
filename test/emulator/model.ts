/**
 * An account as the specification describes it, in the simplest terms: it knows no bytes, no routes, and nothing of
 * `src`. What it refuses it throws as a `Refusal`; what it answers is plain data.
 */

/** The tags of errors, one of which has to come: where several rules are broken, no order is specified. */
export class Refusal extends Error {
  constructor(readonly tags: ReadonlyArray<string>) {
    super(tags.join(" or "))
  }
}

const refuse = (...tags: ReadonlyArray<string>): never => {
  throw new Refusal(tags)
}

/** "accepted case-insensitively as input everywhere", and answered in the casing of BCP 47. */
const canonical = (code: string): string =>
  code
    .toLowerCase()
    .replace(/-[a-z]{2}$/, (region) => region.toUpperCase())
    .replace(/-([a-z])([a-z]{3})$/, (_, first: string, rest: string) => `-${first.toUpperCase()}${rest}`)

const base = (code: string): string => code.toLowerCase().split("-")[0]!

const characters = (text: string): number => [...text].length

export type Terms = ReadonlyArray<readonly [source: string, target: string]>

export interface Dictionary {
  readonly sourceLang: string
  readonly targetLang: string
  readonly terms: Terms
}

interface Glossary {
  name: string
  readonly creationTime: string
  readonly dictionaries: Map<string, Map<string, string>>
}

export interface Instruction {
  readonly label: string
  readonly prompt: string
  readonly sourceLanguage?: string | null | undefined
}

interface StyleList {
  name: string
  readonly language: string
  readonly creationTime: string
  updatedTime: string
  version: number
  rules: object
  instructions: ReadonlyArray<{ readonly id: string } & Instruction>
}

interface Bill {
  readonly time: number
  readonly key: Key
  readonly product: "translate" | "write"
  readonly characters: number
  readonly tag: string | undefined
}

export interface Key {
  readonly id: string
  readonly creationTime: string
  label: string
  deactivatedTime?: string
  characters: number | null
  speech: number | null
  readonly glossaries: Map<string, Glossary>
  readonly styles: Map<string, StyleList>
}

export interface Translation {
  readonly text: ReadonlyArray<string>
  readonly sourceLang?: string | undefined
  readonly targetLang: string
  readonly formality?: string | undefined
  readonly modelType?: string | undefined
  readonly showBilledCharacters?: boolean | undefined
  readonly glossaryIds?: ReadonlyArray<string> | undefined
  readonly styleId?: string | undefined
  readonly tag?: string | undefined
}

export interface Improvement {
  readonly text: ReadonlyArray<string>
  readonly targetLang?: string | undefined
  readonly writingStyle?: string | undefined
  readonly tone?: string | undefined
}

const isPhrase = (phrase: string): boolean =>
  phrase !== "" &&
  !/[\u0000-\u001F\u0080-\u009F\u2028\u2029]/.test(phrase) &&
  phrase.trim() === phrase &&
  Buffer.byteLength(phrase) <= 1024

const isValid = ({ sourceLang, targetLang, terms }: Dictionary): boolean =>
  !`${sourceLang}${targetLang}`.includes("-") &&
  terms.every((term) => term.every(isPhrase)) &&
  new Set(terms.map(([source]) => source)).size === terms.length

const isGlossaryName = (name: string): boolean => name !== "" && Buffer.byteLength(name) <= 1024

const pairOf = ({ sourceLang, targetLang }: { sourceLang: string; targetLang: string }): string =>
  `${base(sourceLang)} ${base(targetLang)}`

const languages = (pair: string) => {
  const [sourceLang, targetLang] = pair.split(" ")
  return { sourceLang, targetLang }
}

/** No step's path holds these. */
const isId = (id: string): boolean => !["", ".", ".."].includes(id)

const accents = new Map(
  Array.from("aceinouyACEINOUY", (letter, at) => [letter, "åçéîñöûýÅÇÉÎÑÖÛÝ".charAt(at)])
)

/** Texts are words with one space between. From the left on, the longest term of whole words wins. */
const translated = (text: string, target: string, terms: ReadonlyMap<string, string>): string => {
  const words = text.split(" ")
  const parts: Array<string> = []
  for (let at = 0; at < words.length; ) {
    const length = [3, 2, 1].find((length) => terms.has(words.slice(at, at + length).join(" "))) ?? 0
    parts.push(
      length > 0
        ? terms.get(words.slice(at, at + length).join(" "))!
        : Array.from(words[at]!, (letter) => accents.get(letter) ?? letter).join("")
    )
    at += Math.max(length, 1)
  }
  return text.trim() === "" ? text : `[${target}] ${parts.join(" ")}`
}

const detected = (text: string): string =>
  /[\u3040-\u30ff]/.test(text) ? "ja" : /[\u0400-\u04ff]/.test(text) ? "ru" : "en"

const withFormality = "DE, FR, IT, ES, ES-419, NL, PL, PT-BR, PT-PT, JA, RU".split(", ")

const unbilled = ["de-CH", "fr-CA"]

const writeTargets = "de, en-GB, en-US, es, fr, it, ja, ko, pt-BR, pt-PT, zh, zh-Hans".split(", ")

const styled = "de, en-GB, en-US, es, fr, it, pt-BR, pt-PT".split(", ")

const isSoft = (value: string | undefined): boolean =>
  value === undefined || value === "default" || value.startsWith("prefer_")

const iso = (time: number): string => new Date(time).toISOString()

const day = 86_400_000

const dayOf = (time: number): number => Math.floor(time / day)

const secondOf = (time: number): number => Math.floor(time / 1000)

const monthOf = (time: number): string => iso(time).slice(0, 7)

const sum = (bills: ReadonlyArray<Bill>, product?: Bill["product"]): number =>
  bills
    .filter((bill) => product === undefined || bill.product === product)
    .reduce((total, bill) => total + bill.characters, 0)

const allows = (limit: number | null, used: number, more: number): boolean =>
  limit === null || (limit !== 0 && used + more <= limit)

const breakdown = (bills: ReadonlyArray<Bill>) => ({
  totalCharacters: sum(bills),
  textTranslationCharacters: sum(bills, "translate"),
  documentTranslationCharacters: 0,
  textImprovementCharacters: sum(bills, "write"),
  speechToTextMinutes: 0
})

export class Account {
  readonly keys: Array<Key> = []
  readonly bills: Array<Bill> = []
  private readonly known = new Set<string>()
  /** "Glossaries and style rules belong to" the account: all of its keys have them. */
  private readonly glossaries: Key["glossaries"] = new Map()
  private readonly styles: Key["styles"] = new Map()

  constructor(
    readonly limit: number | null,
    readonly tier: "paid" | "free",
    private readonly clock: { readonly now: number }
  ) {}

  get now(): number {
    return this.clock.now
  }

  /** Takes an id that the service made; none comes twice. */
  private fresh(id: string | undefined): string {
    if (id === undefined || id === "" || this.known.has(id)) throw new Error(`${id} is no new id`)
    this.known.add(id)
    return id
  }

  addKey(id: string | undefined, label: string): Key {
    const key: Key = {
      id: this.fresh(id),
      creationTime: iso(this.now),
      label,
      characters: null,
      speech: null,
      glossaries: this.glossaries,
      styles: this.styles
    }
    this.keys.push(key)
    return key
  }

  private admit(key: Key, isValid: boolean): void {
    if (!isValid) refuse("InvalidRequest")
    if (key.deactivatedTime !== undefined) refuse("Unauthorized")
  }

  private bill(key: Key, product: Bill["product"], characters: number, tag: string | undefined): void {
    this.bills.push({ time: this.now, key, product, characters, tag })
  }

  /** All that was ever billed to a key. */
  total(key: Key): number {
    return sum(this.bills.filter((bill) => bill.key === key))
  }

  /** What was billed in this month, to one key or to all. */
  private used(key?: Key): ReadonlyArray<Bill> {
    return this.bills.filter(
      (bill) => (key === undefined || bill.key === key) && monthOf(bill.time) === monthOf(this.now)
    )
  }

  private isOverLimit(key: Key, characters: number): boolean {
    return (
      !allows(key.characters, sum(this.used(key)), characters) ||
      !allows(this.limit, sum(this.used()), characters)
    )
  }

  // Glossaries

  private record(id: string, { creationTime, dictionaries, name }: Glossary) {
    return {
      glossaryId: id,
      name,
      creationTime,
      dictionaries: Array.from(dictionaries, ([pair, terms]) => ({
        ...languages(pair),
        entryCount: terms.size
      }))
    }
  }

  createGlossary(key: Key, name: string, dictionaries: ReadonlyArray<Dictionary>, id: string | undefined) {
    const pairs = new Set(dictionaries.map(pairOf))
    this.admit(
      key,
      isGlossaryName(name) &&
        dictionaries.length > 0 &&
        pairs.size === dictionaries.length &&
        dictionaries.every(isValid)
    )
    const glossary: Glossary = {
      name,
      creationTime: iso(this.now),
      dictionaries: new Map(dictionaries.map((each) => [pairOf(each), new Map(each.terms)]))
    }
    key.glossaries.set(this.fresh(id), glossary)
    return this.record(id!, glossary)
  }

  listGlossaries(key: Key) {
    this.admit(key, true)
    return { glossaries: Array.from(key.glossaries, ([id, glossary]) => this.record(id, glossary)) }
  }

  /** "The older v2 glossary endpoints serve monolingual glossaries only." */
  listOlder(key: Key) {
    this.admit(key, true)
    return {
      glossaries: Array.from(key.glossaries).flatMap(([id, glossary]) => {
        const { creationTime, dictionaries, glossaryId, name } = this.record(id, glossary)
        return dictionaries.length === 1
          ? [{ glossaryId, name, creationTime, ready: true, ...dictionaries[0]! }]
          : []
      })
    }
  }

  private glossary(key: Key, id: string, isValid = true): Glossary {
    this.admit(key, isId(id) && isValid)
    return key.glossaries.get(id) ?? refuse("NotFound")
  }

  getGlossary(key: Key, id: string) {
    return this.record(id, this.glossary(key, id))
  }

  entries(key: Key, id: string, pair: Omit<Dictionary, "terms">) {
    const { dictionaries } = this.glossary(key, id)
    const terms = dictionaries.get(pairOf(pair)) ?? refuse("NotFound")
    return {
      ...languages(pairOf(pair)),
      entries: Array.from(terms, ([source, target]) => ({ source, target }))
    }
  }

  allEntries(key: Key, id: string) {
    const { dictionaries } = this.glossary(key, id)
    return {
      dictionaries: Array.from(dictionaries, ([pair, terms]) => ({
        ...languages(pair),
        entries: Array.from(terms, ([source, target]) => ({ source, target }))
      }))
    }
  }

  replaceDictionary(key: Key, id: string, dictionary: Dictionary) {
    const { dictionaries } = this.glossary(key, id, isValid(dictionary))
    dictionaries.set(pairOf(dictionary), new Map(dictionary.terms))
    return { ...languages(pairOf(dictionary)), entryCount: dictionary.terms.length }
  }

  updateGlossary(key: Key, id: string, name: string | undefined, dictionary: Dictionary | undefined) {
    const glossary = this.glossary(
      key,
      id,
      (name !== undefined || dictionary !== undefined) &&
        (name === undefined || isGlossaryName(name)) &&
        (dictionary === undefined || isValid(dictionary))
    )
    glossary.name = name ?? glossary.name
    if (dictionary !== undefined) {
      const old = glossary.dictionaries.get(pairOf(dictionary)) ?? []
      glossary.dictionaries.set(pairOf(dictionary), new Map([...old, ...dictionary.terms]))
    }
    return this.record(id, glossary)
  }

  deleteGlossary(key: Key, id: string): void {
    this.glossary(key, id)
    key.glossaries.delete(id)
  }

  deleteDictionary(key: Key, id: string, pair: Omit<Dictionary, "terms">): void {
    const { dictionaries } = this.glossary(key, id)
    if (!dictionaries.delete(pairOf(pair))) refuse("NotFound")
  }

  // Style rules

  private admitStyle(key: Key, isValid: boolean): void {
    this.admit(key, isValid)
    if (this.tier === "free") refuse("Unauthorized")
  }

  private summary(id: string, { creationTime, language, name, updatedTime, version }: StyleList) {
    return { styleId: id, name, creationTime, updatedTime, language, version }
  }

  private details(id: string, list: StyleList) {
    return {
      ...this.summary(id, list),
      configuredRules: list.rules,
      customInstructions: list.instructions.map((each) => this.instruction(each))
    }
  }

  private instruction({ id, label, prompt, sourceLanguage }: { readonly id: string } & Instruction) {
    return {
      id,
      label,
      prompt,
      ...(sourceLanguage == null ? undefined : { sourceLanguage: canonical(sourceLanguage) })
    }
  }

  private isInstruction({ label, prompt }: Instruction): boolean {
    return characters(label) <= 100 && characters(prompt) <= 300
  }

  private change(id: string, list: StyleList) {
    list.version++
    list.updatedTime = iso(this.now)
    return this.details(id, list)
  }

  createStyle(
    key: Key,
    list: {
      readonly name: string
      readonly language: string
      readonly rules: object
      readonly instructions: ReadonlyArray<Instruction>
    },
    id: string | undefined,
    instructionIds: ReadonlyArray<string>
  ) {
    this.admitStyle(
      key,
      characters(list.name) <= 1024 &&
        ["de", "en", "es", "fr", "it", "ja", "ko", "zh"].includes(list.language) &&
        list.instructions.length <= 200 &&
        list.instructions.every(this.isInstruction)
    )
    const made: StyleList = {
      ...list,
      creationTime: iso(this.now),
      updatedTime: iso(this.now),
      version: 1,
      instructions: list.instructions.map((each, at) => ({ ...each, id: this.fresh(instructionIds[at]) }))
    }
    key.styles.set(this.fresh(id), made)
    return this.details(id!, made)
  }

  listStyles(key: Key, detailed: boolean, page: number, pageSize: number) {
    this.admitStyle(key, pageSize >= 1 && pageSize <= 25)
    const lists = Array.from(key.styles).slice(page * pageSize, (page + 1) * pageSize)
    return {
      styleRules: lists.map(([id, list]) => (detailed ? this.details(id, list) : this.summary(id, list)))
    }
  }

  private style(key: Key, id: string, isValid = true): StyleList {
    this.admitStyle(key, isId(id) && isValid)
    return key.styles.get(id) ?? refuse("NotFound")
  }

  getStyle(key: Key, id: string) {
    return this.details(id, this.style(key, id))
  }

  renameStyle(key: Key, id: string, name: string) {
    const list = this.style(key, id, characters(name) <= 1024)
    list.name = name
    return this.change(id, list)
  }

  replaceRules(key: Key, id: string, rules: object) {
    const list = this.style(key, id)
    list.rules = rules
    return this.change(id, list)
  }

  deleteStyle(key: Key, id: string): void {
    this.style(key, id)
    key.styles.delete(id)
  }

  createInstruction(key: Key, id: string, instruction: Instruction, newId: string | undefined) {
    const list = this.style(key, id, this.isInstruction(instruction))
    if (list.instructions.length === 200) refuse("BadRequest")
    list.instructions = [...list.instructions, { ...instruction, id: this.fresh(newId) }]
    return this.change(id, list)
  }

  private ofList(key: Key, id: string, instructionId: string, isValid = true) {
    const list = this.style(key, id, isValid && isId(instructionId))
    const at = list.instructions.findIndex((each) => each.id === instructionId)
    if (at < 0) refuse("NotFound")
    return { list, at }
  }

  getInstruction(key: Key, id: string, instructionId: string) {
    const { at, list } = this.ofList(key, id, instructionId)
    return this.instruction(list.instructions[at]!)
  }

  replaceInstruction(key: Key, id: string, instructionId: string, instruction: Instruction) {
    const { at, list } = this.ofList(key, id, instructionId, this.isInstruction(instruction))
    const replaced = { ...instruction, id: instructionId }
    list.instructions = list.instructions.with(at, replaced)
    this.change(id, list)
    return this.instruction(replaced)
  }

  deleteInstruction(key: Key, id: string, instructionId: string): void {
    const { at, list } = this.ofList(key, id, instructionId)
    list.instructions = list.instructions.filter((_, index) => index !== at)
    this.change(id, list)
  }

  // Texts

  /** What a translation is refused for, beyond its own shape. */
  private refusals(key: Key, request: Translation, billed: number): ReadonlyArray<string> {
    const { formality, glossaryIds = [], modelType, sourceLang = "", styleId } = request
    const target = canonical(request.targetLang)
    const found: Array<string> = []
    if ((formality === "more" || formality === "less") && !withFormality.includes(target.toUpperCase())) {
      found.push("BadRequest")
    }
    if (unbilled.includes(target) && modelType !== undefined && modelType !== "quality_optimized") {
      found.push("BadRequest")
    }
    if (styleId !== undefined) {
      const list = key.styles.get(styleId)
      if (this.tier === "free") found.push("Unauthorized")
      else if (list === undefined) found.push("NotFound")
      else if (list.language !== base(target)) found.push("BadRequest")
    }
    for (const id of glossaryIds) {
      const glossary = key.glossaries.get(id)
      if (glossary === undefined) found.push("NotFound")
      else if (!glossary.dictionaries.has(pairOf({ sourceLang, targetLang: target })))
        found.push("BadRequest")
    }
    if (this.isOverLimit(key, billed)) found.push("QuotaExceeded")
    return found
  }

  translate(key: Key, request: Translation) {
    const { glossaryIds, modelType, showBilledCharacters, sourceLang, styleId, tag, text } = request
    const ids = glossaryIds ?? []
    this.admit(
      key,
      text.length >= 1 &&
        text.length <= 50 &&
        ids.length <= 5 &&
        !ids.includes("") &&
        styleId !== "" &&
        !(glossaryIds !== undefined && sourceLang === undefined) &&
        !(modelType === "latency_optimized" && styleId !== undefined)
    )
    const target = canonical(request.targetLang)
    const counts = text.map((each) => (unbilled.includes(target) ? 0 : characters(each)))
    const billed = counts.reduce((total, count) => total + count, 0)
    const refusals = this.refusals(key, request, billed)
    if (refusals.length > 0) refuse(...refusals)
    this.bill(key, "translate", billed, tag)
    const pair = pairOf({ sourceLang: sourceLang ?? "", targetLang: target })
    const terms = new Map(ids.flatMap((id) => [...key.glossaries.get(id)!.dictionaries.get(pair)!]).reverse())
    const isVariant = (each: string) => base(sourceLang ?? detected(each)) === base(target)
    return {
      translations: text.map((each, at) => ({
        text: isVariant(each) ? each : translated(each, target, terms),
        detectedSourceLanguage: sourceLang === undefined ? detected(each) : canonical(sourceLang),
        ...(showBilledCharacters === true ? { billedCharacters: counts[at]! } : undefined),
        ...(modelType === undefined
          ? undefined
          : {
              modelTypeUsed:
                modelType === "latency_optimized" && sourceLang !== undefined
                  ? modelType
                  : "quality_optimized"
            })
      }))
    }
  }

  improve(
    key: Key,
    verb: "rephrased" | "corrected",
    { targetLang, text, tone, writingStyle }: Improvement,
    tag: string | undefined
  ) {
    const target = targetLang === undefined ? undefined : canonical(targetLang)
    const style = writingStyle ?? tone
    this.admit(
      key,
      text.length >= 1 &&
        !(writingStyle !== undefined && tone !== undefined) &&
        !(target !== undefined && writeTargets.includes(target) && !styled.includes(target) && !isSoft(style))
    )
    const counts = text.reduce((total, each) => total + characters(each), 0)
    const refusals: Array<string> = this.isOverLimit(key, counts) ? ["QuotaExceeded"] : []
    if (target !== undefined && !writeTargets.includes(target)) refusals.push("BadRequest")
    // The one value of the other kind that is sent as a style.
    if (writingStyle?.endsWith("friendly")) refusals.push("BadRequest")
    for (const each of text) {
      // Texts are Latin, Japanese or Russian, and those without letters in any language.
      const found = detected(each)
      const language = target === undefined ? found : base(target)
      const isOther = found === "en" ? ["ja", "ko", "zh"].includes(language) : found !== language
      if (language === "ru" || (isOther && /\p{L}/u.test(each))) refusals.push("BadRequest")
      if (!styled.some((code) => base(code) === language) && !isSoft(style)) refusals.push("BadRequest")
    }
    if (refusals.length > 0) refuse(...refusals)
    this.bill(key, "write", counts, tag)
    return {
      improvements: text.map((each) => {
        const language = target === undefined ? detected(each) : base(target)
        const hasStyle = styled.some((code) => base(code) === language)
        const applied = style === "default" || !hasStyle ? undefined : style?.replace("prefer_", "")
        const words = [verb, target, applied].filter((word) => word !== undefined)
        return {
          text: each.trim() === "" ? each : `[${words.join(" ")}] ${each}`,
          ...(target === undefined ? undefined : { targetLanguage: target }),
          detectedSourceLanguage: language
        }
      })
    }
  }

  usage(key: Key) {
    this.admit(key, true)
    const product = (productType: Bill["product"]) => {
      const ofKey = sum(this.used(key), productType)
      const ofAll = sum(this.used(), productType)
      return {
        productType,
        billingUnit: "characters",
        apiKeyUnitCount: ofKey,
        accountUnitCount: ofAll,
        apiKeyCharacterCount: ofKey,
        characterCount: ofAll
      }
    }
    const month = new Date(this.now)
    const first = (offset: number) => iso(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + offset))
    return {
      characterCount: sum(this.used()),
      ...(this.limit === null ? undefined : { characterLimit: this.limit }),
      products: [product("translate"), product("write")],
      apiKeyCharacterCount: sum(this.used(key)),
      ...(key.characters === null ? undefined : { apiKeyCharacterLimit: key.characters }),
      speechToTextMillisecondsCount: 0,
      ...(key.speech === null ? undefined : { speechToTextMillisecondsLimit: key.speech }),
      startTime: first(0),
      endTime: first(1)
    }
  }

  /** "a limit of 0 blocks all use". */
  speak(key: Key): string {
    this.admit(key, true)
    if (key.speech === 0) refuse("QuotaExceeded")
    return "open"
  }

  // Administration

  keyRecord({ characters, creationTime, deactivatedTime, id, label, speech }: Key) {
    return {
      keyId: id,
      label,
      creationTime,
      isDeactivated: deactivatedTime !== undefined,
      ...(deactivatedTime === undefined ? undefined : { deactivatedTime }),
      usageLimits: { characters, speechToTextMilliseconds: speech }
    }
  }

  createKey(label: string | undefined, made: { readonly keyId: string; readonly label: string } | undefined) {
    if (this.keys.filter(({ deactivatedTime }) => deactivatedTime === undefined).length >= 25) {
      refuse("BadRequest")
    }
    return this.keyRecord(this.addKey(made?.keyId, label ?? made!.label))
  }

  listKeys() {
    return this.keys.map((key) => this.keyRecord(key))
  }

  private find(id: string): Key {
    if (id === "" || id.includes("*")) refuse("InvalidRequest")
    return this.keys.find((key) => key.id === id) ?? refuse("NotFound")
  }

  deactivate(id: string) {
    const key = this.find(id)
    key.deactivatedTime ??= iso(this.now)
    return this.keyRecord(key)
  }

  renameKey(id: string, label: string) {
    const key = this.find(id)
    key.label = label
    return this.keyRecord(key)
  }

  limitKey(id: string, characters: number | null | undefined, speech: number | null | undefined) {
    const isLimit = (limit: number | null | undefined) => limit == null || limit >= 0
    if ((characters === undefined && speech === undefined) || !isLimit(characters) || !isLimit(speech)) {
      refuse("InvalidRequest")
    }
    const key = this.find(id)
    if (characters !== undefined) key.characters = characters
    if (speech !== undefined) key.speech = speech
    return this.keyRecord(key)
  }

  private within(start: number, end: number, unit: (time: number) => number): ReadonlyArray<Bill> {
    if (end < start || end - start > 366 * day) refuse("InvalidRequest")
    return this.bills.filter(({ time }) => unit(time) >= unit(start) && unit(time) <= unit(end))
  }

  /** The rows of what was used; nothing is no row. */
  private rows<A>(bills: ReadonlyArray<Bill>, of: (bill: Bill) => A, by: (bill: Bill) => unknown) {
    const groups = new Map(bills.map((bill) => [by(bill), bill]))
    return Array.from(groups, ([group, bill]) => ({
      ...of(bill),
      usage: breakdown(bills.filter((each) => by(each) === group))
    })).filter(({ usage }) => usage.totalCharacters > 0)
  }

  report(start: number, end: number, groupBy: "key" | "key_and_day" | undefined) {
    const bills = this.within(start, end, secondOf)
    return {
      total: breakdown(bills),
      start: iso(secondOf(start) * 1000),
      end: iso(secondOf(end) * 1000),
      keyUsages:
        groupBy === "key"
          ? this.rows(
              bills,
              ({ key }) => ({ label: key.label }),
              ({ key }) => key
            )
          : [],
      keyAndDayUsages:
        groupBy === "key_and_day"
          ? this.rows(
              bills,
              ({ key, time }) => ({ label: key.label, day: iso(dayOf(time) * day) }),
              ({ key, time }) => `${this.keys.indexOf(key)} ${dayOf(time)}`
            )
          : []
    }
  }

  /** "Only text translation is covered." */
  customTags(start: number, end: number, isByDay: boolean) {
    const bills = this.within(start, end, dayOf).filter(
      ({ product, tag }) => product === "translate" && tag !== undefined
    )
    return {
      usage: this.rows(
        bills,
        ({ tag, time }) => ({ tag, ...(isByDay ? { day: iso(dayOf(time) * day) } : undefined) }),
        ({ tag, time }) => (isByDay ? `${tag} ${dayOf(time)}` : tag)
      ).map(({ usage, ...row }) => ({ ...row, characters: usage.totalCharacters }))
    }
  }
}
