/** A script or a style of a page, bundled: see `scripts/textBundles.ts`. */
declare module "*?bundle" {
  const text: string
  export default text
}
