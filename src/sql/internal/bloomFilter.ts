const size = 2 ** 24
const hashes = 4

/**
 * Keys that were added, in memory that does not grow, 2 MiB: of other keys it takes one in ten thousand for added once there are 400,000,
 * one in seven once there are 4,000,000.
 */
export class BloomFilter {
  private readonly bits = new Uint32Array(size / 32)

  add(key: string): void {
    const first = bitsOf(key, 0)
    const step = bitsOf(key, 6)
    for (let index = 0; index < hashes; index++) {
      const place = (first + index * step) % size
      this.bits[place >>> 5]! |= 1 << (place & 31)
    }
  }

  /** True if a key was added, or maybe was. */
  mayHave(key: string): boolean {
    const first = bitsOf(key, 0)
    const step = bitsOf(key, 6)
    for (let index = 0; index < hashes; index++) {
      const place = (first + index * step) % size
      if ((this.bits[place >>> 5]! & (1 << (place & 31))) === 0) return false
    }
    return true
  }
}

/** 24 bits of a key, which is a hash in hexadecimal digits. */
const bitsOf = (key: string, from: number): number => Number.parseInt(key.slice(from, from + 6), 16)
