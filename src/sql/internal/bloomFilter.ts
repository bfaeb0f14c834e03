/** A place of a key among 2 ** 24 bits: a key is a hash of 32 hexadecimal digits. */
const placeOf = (key: string, index: number): number => Number.parseInt(key.slice(8 * index, 8 * index + 6), 16)

/**
 * Keys that were added, in memory that does not grow: of others it takes one in ten thousand for added once there are 400,000, one in seven
 * once there are 4,000,000.
 */
export class BloomFilter {
  private readonly bits = new Uint32Array(2 ** 19)

  add(key: string): void {
    for (let index = 0; index < 4; index++) {
      const place = placeOf(key, index)
      this.bits[place >>> 5]! |= 1 << (place & 31)
    }
  }

  /** Whether a key was added, or maybe was. */
  mayHave(key: string): boolean {
    for (let index = 0; index < 4; index++) {
      const place = placeOf(key, index)
      if ((this.bits[place >>> 5]! & (1 << (place & 31))) === 0) return false
    }
    return true
  }
}
