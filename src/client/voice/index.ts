/**
 * Realtime transcription and translation of speech.
 *
 * @since 0.1.0
 */
export * as VoiceSessions from "../VoiceSessions.js"
