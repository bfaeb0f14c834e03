/** The page around the data of a report. Nothing in it is made of texts. */
import { createHash } from "node:crypto"
import style from "../../pages/report/page.css?bundle"
import script from "../../pages/report/page.ts?bundle"
import { dataId, unitsClass } from "../../pages/report/reportData.js"

const hash = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`

/** Nothing is loaded, nothing but this script and this style is used, and no text becomes mark-up. */
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** Tells a report from another file. */
export const beginning = '<!doctype html>\n<html lang="en" data-effect-translate-report>\n'

/** The page before the data: the script waits for the end of the page. */
export const head = `${beginning}<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Translation report</title>
<style>${style}</style>
<script>${script}</script>
</head>
<body>
<noscript>This report needs JavaScript to show its texts. It loads nothing from the network.</noscript>
`

/** JSON in which nothing ends its element. */
export const json = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/** Units of which each is JSON. */
export const units = (encoded: ReadonlyArray<string>): string =>
  `<script type="application/json" class="${unitsClass}">[${encoded.join(",\n")}]</script>\n`

/** The page behind the units. */
export const tail = (data: unknown): string =>
  `<script type="application/json" id="${dataId}">${json(data)}</script>\n</body>\n</html>\n`
