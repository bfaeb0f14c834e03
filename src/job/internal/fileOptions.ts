import * as Effect from "effect/Effect"
import { hash } from "../../internal/hash.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type * as FileTranslation from "../FileTranslation.js"

/** The options of the stream, with what the format says of its texts. */
export const streamOptions = ({
  failedText: _failedText,
  file: _file,
  format,
  maxFileBytes: _maxFileBytes,
  units: _units,
  useContext: _useContext,
  ...options
}: FileTranslation.Options): TranslateStream.Options => ({
  ...options,
  dedupe: options.dedupe ?? true,
  placeholders: options.placeholders ?? format.placeholders,
  ...(format.tagHandling === undefined || options.tagHandling !== undefined
    ? undefined
    : { tagHandling: format.tagHandling })
})

/** Whether units of the file may need requests with other options than their neighbours. */
export const isGrouped = ({ format, placeholders, useContext }: FileTranslation.Options): boolean =>
  useContext === true || (format.variesPlaceholders === true && placeholders === undefined)

const withContext = (useContext: boolean | undefined, options: string): string =>
  useContext === true ? hash(`${options} with the context of units`) : options

/** What is chosen for the translations of a file, as hashes: when it changes, all that the machine has written is translated anew. */
export const choicesOf = (options: FileTranslation.Options) =>
  Effect.map(TranslateStream.choicesOf(streamOptions(options)), (choices) => ({
    ...choices,
    options: withContext(options.useContext, choices.options)
  }))

/** The hash of the options among them. */
export const hashOfOptions = (options: FileTranslation.Options): string =>
  withContext(options.useContext, TranslateStream.hashOfOptions(streamOptions(options)))
