/**
 * Finds where records end in the bytes of a file, piece by piece: offsets in the piece, each behind the last byte of a record.
 *
 * @since 0.1.0
 * @category models
 */
export type RecordEnds = (bytes: Uint8Array) => ReadonlyArray<number>

/**
 * The records of a file that streams, which are found without decoding them: so it can be cut for several machines.
 *
 * @since 0.1.0
 * @category models
 */
export interface Records {
  /** True if the first record that is not blank is a header, which every piece of the file needs in front of it. */
  readonly hasHeader: boolean
  /** About how many texts a record has. */
  readonly texts: number
  /** A reader of one file, by the beginning of its text. It may miss ends; `undefined` if it would miss all of them. */
  readonly ends: (head: string) => RecordEnds | undefined
}

/**
 * The rows of files, which are found again in a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rows {
  /** The columns, or the paths, that tell rows apart; none if nothing is known of that. */
  readonly key: ReadonlyArray<string>
  /** True if a translation is written on one line: its line breaks, and its blanks behind each other, become one blank. @default false */
  readonly isOneLine?: boolean | undefined
}
