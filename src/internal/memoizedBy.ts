/** Remembers the result of a function for each object, as long as that is in use. */
export const memoizedBy = <K extends object, A extends object>(make: (key: K) => A): ((key: K) => A) => {
  const known = new WeakMap<K, A>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}
