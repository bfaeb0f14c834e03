/** What stands in texts that get an empty answer each time: they are sent once more alone, and refused then. */
export const unanswered = "Nobody answers."

/** With placeholders, tags and messages: what is billed of them is not what stands in the file. */
export const text = (row: number) =>
  row % 50 === 7
    ? `Row ${row}: ${unanswered}`
    : [
        `Row ${row}: All human beings are born free.`,
        `Row ${row}: {name} has the <b>right</b> to %s.`,
        `{count, plural, one {Row ${row}: # item} other {Row ${row}: # items}}`
      ][row % 3]
