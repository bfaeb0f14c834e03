/** Pictures for the documents: as WebP they take half of what PNG takes of the package. */
import { writeFileSync } from "node:fs"
import * as esbuild from "esbuild"
import type { Browser } from "playwright-core"
import { textBundles } from "./textBundles.js"

export { launch } from "../test/support/browser.js"

/** Bundles modules that import pages: only bundlers know these imports. */
export const bundleModules = (entryPoints: ReadonlyArray<string>, outdir: string): Promise<unknown> =>
  esbuild.build({
    entryPoints: [...entryPoints],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [textBundles],
    logLevel: "warning"
  })

/** Writes what the browser has taken. */
export const write = async (browser: Browser, png: Buffer, path: string): Promise<void> => {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async (data) => {
      const picture = await createImageBitmap(await (await fetch(data)).blob())
      const canvas = document.createElement("canvas")
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext("2d")!.drawImage(picture, 0, 0)
      return canvas.toDataURL("image/webp", 0.8)
    },
    `data:image/png;base64,${png.toString("base64")}`
  )
  writeFileSync(path, Buffer.from(url.slice(url.indexOf(",") + 1), "base64"))
  await page.close()
}
