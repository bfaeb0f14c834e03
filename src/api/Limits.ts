/**
 * The limits of the service, as the specification states them.
 *
 * @since 0.1.0
 */

/**
 * Largest body of `POST /v2/translate` in bytes (128 KiB).
 *
 * Source: service specification, Limits, "Text translation body".
 *
 * @since 0.1.0
 * @category constants
 */
export const translateBodyBytes = 131_072

/**
 * Most texts in one translation request.
 *
 * Source: service specification, Limits, "Texts per translation request".
 *
 * @since 0.1.0
 * @category constants
 */
export const translateTexts = 50

/**
 * Most custom instructions in one translation request.
 *
 * Source: service specification, Limits, "custom_instructions per translation request".
 *
 * @since 0.1.0
 * @category constants
 */
export const translateCustomInstructions = 10

/**
 * Longest custom instruction of a translation request in characters (code points).
 *
 * Source: service specification, Limits, "custom_instructions per translation request".
 *
 * @since 0.1.0
 * @category constants
 */
export const translateCustomInstructionCharacters = 300

/**
 * Most glossaries in one translation request.
 *
 * Source: wire facts, Text, "glossary_ids".
 *
 * @since 0.1.0
 * @category constants
 */
export const translateGlossaries = 5

/**
 * Smallest, largest and default `translation_memory_threshold` in percent.
 *
 * Source: service specification, Limits, "translation_memory_threshold".
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemoryThreshold = { min: 0, max: 100, default: 75 } as const

/**
 * Largest body of a write request in bytes (10 KiB).
 *
 * Source: service specification, Limits, "Write request body".
 *
 * @since 0.1.0
 * @category constants
 */
export const writeBodyBytes = 10_240

/**
 * Longest name of a style rule list in characters (code points).
 *
 * Source: service specification, Limits, "Style rule list name".
 *
 * @since 0.1.0
 * @category constants
 */
export const styleRuleListNameCharacters = 1024

/**
 * Most custom instructions in one style rule list. It may change with plan tiers; predefined rules are
 * unlimited.
 *
 * Source: service specification, Limits, "Custom instructions per style rule list".
 *
 * @since 0.1.0
 * @category constants
 */
export const styleRuleListCustomInstructions = 200

/**
 * Longest label of a custom instruction in characters (code points).
 *
 * Source: service specification, Limits, "Custom instruction label / prompt".
 *
 * @since 0.1.0
 * @category constants
 */
export const customInstructionLabelCharacters = 100

/**
 * Longest prompt of a custom instruction in characters (code points).
 *
 * Source: service specification, Limits, "Custom instruction label / prompt".
 *
 * @since 0.1.0
 * @category constants
 */
export const customInstructionPromptCharacters = 300

/**
 * Smallest, largest and default number of style rule lists on a page.
 *
 * Source: service specification, Limits, "Style rule list page size".
 *
 * @since 0.1.0
 * @category constants
 */
export const styleRuleListPageSize = { min: 1, max: 25, default: 10 } as const

/**
 * Largest dictionary of a glossary in bytes of encoded entries; a glossary of n dictionaries may hold n times
 * as much.
 *
 * Source: service specification, Limits, "Glossary dictionary size"; wire facts, Decisions.
 *
 * @since 0.1.0
 * @category constants
 */
export const glossaryDictionaryBytes = 10_000_000

/**
 * Longest glossary name, source phrase and target phrase in UTF-8 bytes.
 *
 * Source: service specification, Limits, "Glossary name, each source phrase, each target phrase".
 *
 * @since 0.1.0
 * @category constants
 */
export const glossaryPhraseBytes = 1024

/**
 * Most developer keys that are active at the same time.
 *
 * Source: service specification, Limits, "Active developer keys".
 *
 * @since 0.1.0
 * @category constants
 */
export const activeDeveloperKeys = 25

/**
 * Longest range of an analytics report in days between its start and its end.
 *
 * Source: service specification, Limits, "Analytics date range"; wire facts, Decisions.
 *
 * @since 0.1.0
 * @category constants
 */
export const analyticsRangeDays = 366

/**
 * The period of a key-level usage limit in months, and the shares of the limit at which the service sends an
 * e-mail. At the last share it answers 456.
 *
 * Source: service specification, Limits, "Key-level usage limit".
 *
 * @since 0.1.0
 * @category constants
 */
export const keyUsageLimit = { periodMonths: 1, warningShares: [0.8, 1] } as const

/**
 * Smallest, largest and default number of translation memories on a page.
 *
 * Source: wire facts, translation memories.
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemoryPageSize = { min: 1, max: 25, default: 10 } as const

/**
 * Smallest, largest and default number of segments of a translation memory on a page.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemorySegmentPageSize = { min: 1, max: 100, default: 50 } as const

/**
 * Shortest text in characters (code points) that segments of a translation memory are filtered by.
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemoryFilterCharacters = 2

/**
 * Longest name of a file that becomes a translation memory, in characters (code points).
 *
 * Source: wire facts, Translation memories, the whole group.
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemoryFileNameCharacters = 100

/**
 * Smallest and largest file that becomes a translation memory, in bytes.
 *
 * Source: wire facts, Translation memories, the whole group, "1 to 1 GB".
 *
 * @since 0.1.0
 * @category constants
 */
export const translationMemoryFileBytes = { min: 1, max: 1_000_000_000 } as const

/**
 * Most languages that one voice session translates into.
 *
 * Source: wire facts, voice.
 *
 * @since 0.1.0
 * @category constants
 */
export const voiceTargetLanguages = 5

/**
 * Most languages that one voice session speaks in.
 *
 * Source: wire facts, voice.
 *
 * @since 0.1.0
 * @category constants
 */
export const voiceTargetMediaLanguages = 1
