/** A worker that was not heard of for so long is lost, in milliseconds. */
export const aliveFor = 15_000
