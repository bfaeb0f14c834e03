const named: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v"
}

/** The character of an escape of C: by a hexadecimal or octal code, or a letter that names it. Others stand for themselves. */
export const characterOf = (
  hexadecimal: string | undefined,
  octal: string | undefined,
  other: string | undefined
): string =>
  hexadecimal !== undefined
    ? String.fromCharCode(Number.parseInt(hexadecimal, 16))
    : octal !== undefined
      ? String.fromCharCode(Number.parseInt(octal, 8))
      : (named[other!] ?? other!)
