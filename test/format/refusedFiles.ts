/** Files of the corpus that a format refuses, by the end of their path, and what is wrong with them. */
export const refused: Readonly<Record<string, string>> = {
  "video.js/dist/lang/pt-BR.json": "has a key twice"
}
