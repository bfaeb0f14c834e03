/** An option in a message, alone or with a value: `columns`, `existing: "overwrite"`. */
const marked = /`(\w+)(?:: (?:\["([^"`]*)"\]|"([^"`]*)"))?`/g

/** A message with other names for the options in it. One without another name stays as it is. */
export const rename = (message: string, nameOf: (option: string) => string | undefined): string =>
  message.replace(marked, (whole, option: string, listed?: string, single?: string) => {
    const name = nameOf(option)
    const value = listed ?? single
    return name === undefined ? whole : value === undefined ? name : `${name} ${value}`
  })
