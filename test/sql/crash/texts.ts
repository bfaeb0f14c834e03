/**
 * With placeholders, tags and messages: what is billed of them is not what stands in the file. The service answers all of them: one with
 * an empty answer would be sent again though its attempt was answered, and how often would be chance.
 */
export const text = (row: number) =>
  [
    `Row ${row}: All human beings are born free.`,
    `Row ${row}: {name} has the <b>right</b> to %s.`,
    `{count, plural, one {Row ${row}: # item} other {Row ${row}: # items}}`
  ][row % 3]
