const half = /\p{Surrogate}/u

/** Whether the text holds half of a surrogate pair, which UTF-8 cannot carry. */
export const hasHalfCharacter = (text: string): boolean => half.test(text)

/** How many bytes the text takes in UTF-8. */
export const byteLength = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Each half of a pair takes two of the four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}
