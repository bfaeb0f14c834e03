/** Bytes of a text as a JSON string in UTF-8, quotes and escapes included: what `JSON.stringify` makes of it. */
export const jsonBytes = (text: string): number =>
  escapedOrWide.test(text) ? measure(text) : text.length + 2

const escapedOrWide = /[^ !#-[\]-~]/

const measure = (text: string): number => {
  let bytes = text.length + 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      if (unit >= 0x20) {
        if (unit === 0x22 || unit === 0x5c) bytes++
      } else {
        bytes += (unit >= 0x08 && unit <= 0x0a) || unit === 0x0c || unit === 0x0d ? 1 : 5
      }
    } else if (unit < 0x800) {
      bytes++
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes += 2
    } else if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      i++
    } else {
      bytes += 5
    }
  }
  return bytes
}
