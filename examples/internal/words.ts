/** Numbers as people read them. */
export const count = (value: number) => value.toLocaleString("en")

export const plural = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`
