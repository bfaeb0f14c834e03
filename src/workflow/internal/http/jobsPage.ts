/** The page of the jobs: the answer to a browser's `/`. */
import { createHash } from "node:crypto"
import style from "../../../pages/jobs/page.css?bundle"
import script from "../../../pages/jobs/page.ts?bundle"

const hash = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`

/** Nothing but this script and this style is used, this server alone is asked, and nothing that it says becomes mark-up. */
export const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Jobs</title>
<style>${style}</style>
<script>${script}</script>
</head>
<body>
<noscript>This page needs JavaScript to show the jobs.</noscript>
</body>
</html>
`
