/** Whether a store, or where jobs are, is a database of PostgreSQL. */
export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//i.test(address)
