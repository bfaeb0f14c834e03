/** All pieces, one behind the other. */
export const concat = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
