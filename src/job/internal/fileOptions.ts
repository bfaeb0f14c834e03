import type * as TranslateStream from "../../stream/TranslateStream.js"
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
