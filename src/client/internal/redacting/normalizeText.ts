import * as Option from "effect/Option"

const named: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " "
}

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "")

const unescapedOnce = (text: string): string =>
  text
    .replace(
      /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([bfnrt])|(["'\\/`]))/gi,
      (_, braced, unit, byte, blank, self) =>
        blank === undefined ? (self ?? characterOf(Number.parseInt(braced ?? unit ?? byte, 16))) : " "
    )
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));?/gi, (_, hex, decimal, name) =>
      name === undefined
        ? characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
        : named[name.toLowerCase()]!
    )
    .replace(/(?:%[0-9a-f]{2})+/gi, (octets) =>
      Option.getOrElse(Option.liftThrowable(decodeURIComponent)(octets), () => octets)
    )

/** Without the escapes of JSON, HTML and addresses, also where one is within another. */
const unescaped = (text: string, depth = 4): string => {
  const once = /[\\&%]/.test(text) ? unescapedOnce(text) : text
  return depth === 0 || once === text ? once : unescaped(once, depth - 1)
}

/** The common form of a text and its repetition, in any escapes, case, whitespace and forms of Unicode. */
export const normalizeText = (text: string): string =>
  unescaped(text)
    .normalize("NFKC")
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, "σ")
    .normalize("NFKC")
    .replace(/[\s+]+/g, " ")
    .trim()
