/**
 * Keys that were added, by 52 bits of each: of a million keys, two have the same with a chance of one in ten thousand. A
 * table of numbers takes 16 bytes a key, a `Set` of them 75.
 */
export class Fingerprints {
  /** 0 is no fingerprint. */
  private table = new Float64Array(1024)
  private size = 0

  /** Once it has `most` keys, no more are added. */
  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.size === this.most
  }

  has(key: string): boolean {
    return this.table[this.placeOf(fingerprintOf(key))] !== 0
  }

  add(key: string): void {
    if (this.isFull) return
    const fingerprint = fingerprintOf(key)
    const place = this.placeOf(fingerprint)
    if (this.table[place] !== 0) return
    this.table[place] = fingerprint
    this.size++
    if (2 * this.size >= this.table.length && !this.isFull) this.grow()
  }

  /** Where a fingerprint is, or where there is room for it. */
  private placeOf(fingerprint: number): number {
    const { table } = this
    let place = fingerprint % table.length
    while (table[place] !== 0 && table[place] !== fingerprint) place = (place + 1) % table.length
    return place
  }

  private grow(): void {
    const { table } = this
    this.table = new Float64Array(2 * table.length)
    for (const fingerprint of table)
      if (fingerprint !== 0) this.table[this.placeOf(fingerprint)] = fingerprint
  }
}

/** Of the hexadecimal digits of a key. */
const fingerprintOf = (key: string): number => Number.parseInt(key.slice(0, 13), 16) + 1
