/**
 * An emulator of the service, for tests, demonstrations and benchmarks.
 *
 * @since 0.1.0
 */

/**
 * The emulator: its layers and its settings.
 *
 * @since 0.1.0
 */
export * as Emulator from "./Emulator.js"
/**
 * Faults that the emulator serves on demand.
 *
 * @since 0.1.0
 */
export * as Fault from "./Fault.js"
/**
 * Counts of the emulator's requests and billed characters.
 *
 * @since 0.1.0
 */
export * as Meter from "./Meter.js"
/**
 * The emulator's answer instead of an improvement.
 *
 * @since 0.1.0
 */
export * as PseudoImprovement from "./PseudoImprovement.js"
/**
 * The emulator's answer instead of a translation.
 *
 * @since 0.1.0
 */
export * as PseudoTranslation from "./PseudoTranslation.js"
/**
 * Faults and limits as data, from a file.
 *
 * @since 0.1.0
 */
export * as Rules from "./Rules.js"
/**
 * A file that keeps the accounts of an emulator.
 *
 * @since 0.1.0
 */
export * as StateFile from "./StateFile.js"
