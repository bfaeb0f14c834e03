/** The characters of a request's texts, which may still be malformed: its schema speaks later. */
export const sizeOf = (request: { readonly text: ReadonlyArray<string> }): number =>
  Array.isArray(request?.text) ? request.text.reduce((size, text) => size + (text?.length ?? 0), 0) : 0
