/** For Stryker: leaves out the texts of messages, which are for people. Tags, statuses, keys and durations are no such texts. */
const isText = (text) => /^\D.* ./.test(text)

const textsOf = ({ quasis, type, value }) => {
  if (type === "TemplateLiteral") return quasis.map(({ value }) => value.raw)
  return type === "StringLiteral" ? [value] : []
}

const messages = {
  shouldIgnore: ({ node }) => (textsOf(node).some(isText) ? "The text of a message." : undefined)
}

export const strykerPlugins = [{ kind: "Ignore", name: "messages", value: messages }]
