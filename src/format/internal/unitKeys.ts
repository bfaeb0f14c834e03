/** Keys of a file that may hold one several times: the second is `key#2`. */
export const makeUnique = (): ((key: string) => string) => {
  const counts = new Map<string, number>()
  return (key) => {
    let count = counts.get(key) ?? 0
    let unique = key
    while (counts.has(unique)) unique = `${key}#${++count}`
    counts.set(unique, 1)
    if (unique !== key) counts.set(key, count)
    return unique
  }
}
