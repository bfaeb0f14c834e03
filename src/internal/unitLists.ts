/** True if the lists of both files have the same items, so that an index means one item in both. */
export const hasSameLists = (
  listOf: (key: string) => string | undefined,
  first: Iterable<string>,
  second: Iterable<string>
): boolean => {
  const [a, b] = [itemsOf(listOf, first), itemsOf(listOf, second)]
  return Array.from(a).every(([list, items]) => (b.get(list) ?? items) === items)
}

/** The keys of each list, in one text. */
const itemsOf = (
  listOf: (key: string) => string | undefined,
  keys: Iterable<string>
): ReadonlyMap<string, string> => {
  const lists = new Map<string, string>()
  for (const key of keys) {
    const list = listOf(key)
    if (list !== undefined) lists.set(list, `${lists.get(list) ?? ""}\n${key}`)
  }
  return lists
}
