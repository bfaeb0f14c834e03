/** Encodings of one byte a character, as the Encoding Standard names them. */
export const singleBytes = [
  "ibm866",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "iso-8859-16",
  "koi8-r",
  "koi8-u",
  "macintosh",
  "windows-874",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "x-mac-cyrillic"
] as const

/** All encodings of files. `latin1` is ISO-8859-1, and `ascii` US-ASCII. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "latin1", "ascii", ...singleBytes] as const
