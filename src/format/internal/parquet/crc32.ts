/** The checksum of pages. */

const remainders = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 of bytes, as a signed integer. */
export const crc32 = (bytes: Uint8Array): number => {
  let sum = -1
  for (const byte of bytes) sum = (sum >>> 8) ^ remainders[(sum ^ byte) & 0xff]!
  return ~sum
}
