/**
 * The entries of a dictionary: rules and TSV.
 *
 * @since 0.1.0
 */
export * as GlossaryEntries from "../api/GlossaryEntries.js"
/**
 * Glossaries of the account.
 *
 * @since 0.1.0
 */
export * as Glossaries from "../client/Glossaries.js"
/**
 * The older glossaries, of one dictionary each.
 *
 * @since 0.1.0
 */
export * as MonolingualGlossaries from "../client/MonolingualGlossaries.js"
/**
 * The entries of a dictionary as CSV.
 *
 * @since 0.1.0
 */
export * as GlossaryCsv from "./GlossaryCsv.js"
/**
 * Dictionaries in CSV and TSV files.
 *
 * @since 0.1.0
 */
export * as GlossaryFile from "./GlossaryFile.js"
/**
 * Makes a glossary of the service equal to local dictionaries.
 *
 * @since 0.1.0
 */
export * as GlossarySync from "./GlossarySync.js"
