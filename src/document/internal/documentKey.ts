/** The name of a document in maps and stores. Stored journals are found by it. */
export const keyOf = ({
  file,
  outputFormat,
  targetLang
}: {
  readonly file: string
  readonly targetLang: string
  readonly outputFormat?: string | undefined
}): string => JSON.stringify([file, targetLang, ...(outputFormat === undefined ? [] : [outputFormat])])
