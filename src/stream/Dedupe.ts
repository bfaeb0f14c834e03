/**
 * Equal texts are sent once.
 *
 * @since 0.1.0
 */

/**
 * How much a stream remembers of what it has translated. The least recently used goes first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Most texts. @default 1000 */
  readonly texts?: number | undefined
  /** Most bytes of texts and translations in memory. @default 8388608, which is 8 MiB */
  readonly bytes?: number | undefined
}

/**
 * What is remembered unless told otherwise.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults = { texts: 1000, bytes: 8_388_608 } as const
