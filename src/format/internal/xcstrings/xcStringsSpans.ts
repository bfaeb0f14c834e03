import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import type { DecodeOptions } from "../../Format.js"
import type { JsonDocument, ObjectNode, Property } from "../json/jsonDocument.js"
import * as jsonDocument from "../json/jsonDocument.js"
import * as jsonLayout from "../json/jsonLayout.js"
import { tagOf } from "../languageTag.js"
import type { Span } from "../parts.js"
import { Builder, Printer, type Template, type Written } from "./xcStringsTemplate.js"

/** The localization of a language, however its name is written. */
const localizationOf = (entry: ObjectNode, language: string): Property | undefined => {
  const localizations = jsonDocument.get(entry, "localizations")
  return localizations?.tag === "object"
    ? localizations.properties.findLast(({ key }) => tagOf(key) === tagOf(language))
    : undefined
}

/** True if a string is not to be translated, or the program has it no more. */
const isLeftOut = (document: JsonDocument, entry: ObjectNode): boolean => {
  const shouldTranslate = jsonDocument.get(entry, "shouldTranslate")
  return (
    jsonDocument.getString(entry, "extractionState") === "stale" ||
    (shouldTranslate !== undefined && jsonLayout.rawOf(document, shouldTranslate) === "false")
  )
}

/** The entry of a string with the localization of the target. */
const write = (
  { document, printer }: { readonly document: JsonDocument; readonly printer: Printer },
  entry: ObjectNode,
  template: Template,
  language: string,
  written: Written
): string => {
  const target = localizationOf(entry, language)
  const localizations = jsonDocument.get(entry, "localizations")
  const localization = printer.template(template, target?.value, printer.indentOf(entry, 2), written)
  const replaced = ({ end, start }: jsonDocument.Range, text: string) =>
    document.text.slice(entry.start, start) + text + document.text.slice(end, entry.end)
  if (target !== undefined) return replaced(target.value, localization)
  if (localizations?.tag === "object") {
    return replaced(localizations, printer.inserted(localizations, tagOf(language), localization))
  }
  const added = printer.object([[tagOf(language), localization]], printer.indentOf(entry, 1))
  return localizations === undefined
    ? printer.inserted(entry, "localizations", added)
    : replaced(localizations, added)
}

/** The strings of a catalogue. */
export const spansOf = (
  document: JsonDocument,
  root: ObjectNode,
  { sourceLang = "en", targetLang }: DecodeOptions
): ReadonlyArray<Span> => {
  const source = jsonDocument.getString(root, "sourceLanguage") ?? sourceLang
  const strings = jsonDocument.get(root, "strings")
  if (strings?.tag !== "object") return []
  const context = { document, printer: new Printer(document) }
  return strings.properties.flatMap(({ key, name, start, value: entry }): ReadonlyArray<Span> => {
    if (entry.tag !== "object" || isBlank(key) || isLeftOut(document, entry)) return []
    const builder = new Builder({ key, name }, document.position(start).line, {
      sourceLang: source,
      targetLang
    })
    const template = builder.build(
      localizationOf(entry, source)?.value,
      localizationOf(entry, targetLang)?.value
    )
    if (template === undefined || builder.units.length === 0) return []
    return [
      {
        start: entry.start,
        end: entry.end,
        units: builder.units,
        context: jsonDocument.getString(entry, "comment"),
        write: (translations, marks = []) =>
          Either.right(
            translations.every((translation) => translation === undefined)
              ? jsonLayout.rawOf(document, entry)
              : write(context, entry, template, targetLang, { translations, marks })
          )
      }
    ]
  })
}
