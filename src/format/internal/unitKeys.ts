/** Keys of a file that may hold one several times: the second is `key#2`. */
export const makeUnique = (): ((key: string) => string) => {
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  return (key) => {
    let count = counts.get(key) ?? 0
    let unique: string
    do {
      count++
      unique = count === 1 ? key : `${key}#${count}`
    } while (taken.has(unique))
    counts.set(key, count)
    taken.add(unique)
    return unique
  }
}
