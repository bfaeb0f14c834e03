const size = 2 ** 24
const hashes = 4

/**
 * Keys that were added, in memory that does not grow, 2 MiB: of other keys it takes one in ten thousand for added once there are 400,000,
 * one in seven once there are 4,000,000.
 */
export class BloomFilter {
  private readonly bits = new Uint32Array(size / 32)

  add(key: string): void {
    const hash = hashOf(key)
    for (let index = 0; index < hashes; index++) {
      const place = placeOf(hash, index)
      this.bits[place >>> 5]! |= 1 << (place & 31)
    }
  }

  /** Whether a key was added, or maybe was. */
  mayHave(key: string): boolean {
    const hash = hashOf(key)
    for (let index = 0; index < hashes; index++) {
      const place = placeOf(hash, index)
      if ((this.bits[place >>> 5]! & (1 << (place & 31))) === 0) return false
    }
    return true
  }
}

/** 48 bits of a key, which is a hash in hexadecimal digits. */
const hashOf = (key: string): number => Number.parseInt(key.slice(0, 12), 16)

/** By the sum of one half and a multiple of the other (Kirsch and Mitzenmacher). */
const placeOf = (hash: number, index: number): number => {
  const high = Math.floor(hash / size)
  return ((hash % size) + index * high) % size
}
