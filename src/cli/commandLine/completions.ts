/** Scripts that complete commands, options, their values and files in shells. */
import * as Effect from "effect/Effect"
import { type Usage, usage } from "../failure.js"
import { all, lineOf, type Node } from "./commandTree.js"
import type { Parameter } from "./declare.js"
import { programFlags, type Shell, shells } from "./parse.js"
import { didYouMean } from "./suggestion.js"

/** A word that can stand somewhere, and its meaning. */
type Word = readonly [word: string, meaning: string]

/** The words that can follow a command. */
interface Place {
  /** The words of the command. */
  readonly line: string
  /** Commands, or the values of an argument; if there are none, files. */
  readonly words: ReadonlyArray<Word>
  readonly flags: ReadonlyArray<Parameter>
  readonly isGroup: boolean
}

const placeOf = (node: Node): Place => ({
  line: lineOf(node),
  words:
    node.commands.length > 0
      ? node.commands.map(({ description, path }) => [path.at(-1)!, description] as const)
      : node.operands.flatMap(({ choices }) => choices.map((choice) => [choice, ""] as const)),
  flags: [
    ...node.flags,
    ...programFlags.filter((flag) => node.path.length === 1 || flag.names.includes("--help"))
  ],
  isGroup: node.commands.length > 0
})

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const valued = ({ flags }: Place) => flags.filter(({ type }) => type !== "flag")

/** Patterns of `case`: a command and an option that it takes before the cursor. */
const patterns = ({ line }: Place, names: ReadonlyArray<string>) =>
  names.map((name) => single(`${line} ${name}`)).join("|")

/** The loop that finds which command the words before the cursor name. */
const descent = (places: ReadonlyArray<Place>, word: string) => [
  `    case "$command ${word}" in`,
  `      (${places
    .slice(1)
    .map(({ line }) => single(line))
    .join("|")}) command="$command ${word}" ;;`,
  "    esac"
]

const flagWords = ({ flags }: Place): ReadonlyArray<Word> =>
  flags.flatMap(({ description, names }) => names.map((name) => [name, description] as const))

const bash = (places: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const offer = (words: ReadonlyArray<Word>) => single(words.map(([word]) => word).join(" "))
  return [
    "_effect_translate() {",
    `  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command=effect-translate words="" flags="" i`,
    "  for (( i = 1; i < COMP_CWORD; i++ )); do",
    ...descent(places, `\${COMP_WORDS[i]}`),
    "  done",
    "  COMPREPLY=()",
    '  case "$command $previous" in',
    ...places.flatMap((place) =>
      valued(place).map(
        ({ choices, names }) =>
          `    (${patterns(place, names)}) COMPREPLY=( $(compgen -W ${single(choices.join(" "))} -- "$current") ); return ;;`
      )
    ),
    "  esac",
    '  case "$command" in',
    ...places.map(
      (place) => `    (${single(place.line)}) words=${offer(place.words)} flags=${offer(flagWords(place))} ;;`
    ),
    "  esac",
    '  [[ "$current" == -* ]] && words="$flags"',
    '  COMPREPLY=( $(compgen -W "$words" -- "$current") )',
    "}",
    "complete -o default -F _effect_translate effect-translate"
  ]
}

const zsh = (places: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const offer = (words: ReadonlyArray<Word>) =>
    words.map(([word, meaning]) => single(`${word}:${meaning.replaceAll(":", "\\:")}`)).join(" ")
  return [
    "#compdef effect-translate",
    "_effect-translate() {",
    "  local command=effect-translate word",
    "  local -a offered",
    `  for word in "\${(@)words[2,CURRENT-1]}"; do`,
    ...descent(places, "$word"),
    "  done",
    `  case "$command \${words[CURRENT-1]}" in`,
    ...places.flatMap((place) =>
      valued(place).map(({ choices, names }) =>
        choices.length === 0
          ? `    (${patterns(place, names)}) _files; return ;;`
          : `    (${patterns(place, names)}) compadd -- ${choices.map(single).join(" ")}; return ;;`
      )
    ),
    "  esac",
    '  if [[ "$PREFIX" == -* ]]; then',
    '    case "$command" in',
    ...places.map((place) => `      (${single(place.line)}) offered=( ${offer(flagWords(place))} ) ;;`),
    "    esac",
    "    _describe -o option offered",
    "    return",
    "  fi",
    '  case "$command" in',
    ...places
      .filter(({ words }) => words.length > 0)
      .map(
        (place) =>
          `    (${single(place.line)}) offered=( ${offer(place.words)} ); _describe command offered ;;`
      ),
    "    (*) _files ;;",
    "  esac",
    "}",
    'if [[ "$funcstack[1]" == _effect-translate ]]; then _effect-translate "$@"; else compdef _effect-translate effect-translate; fi'
  ]
}

const fish = (places: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  return [
    "function __effect_translate_command",
    "  set -l command effect-translate",
    "  for word in (commandline -opc)[2..]",
    '    switch "$command $word"',
    `      case ${places
      .slice(1)
      .map(({ line }) => quoted(line))
      .join(" ")}`,
    '        set command "$command $word"',
    "    end",
    "  end",
    "  test $command = $argv[1]",
    "end",
    ...places.flatMap(({ flags, isGroup, line, words }) => {
      const head = `complete -c effect-translate -n ${quoted(`__effect_translate_command "${line}"`)}`
      return [
        ...(isGroup ? [`${head} -f`] : []),
        ...words.map(([word, meaning]) => `${head} -a ${quoted(word)} -d ${quoted(meaning)}`),
        ...flags.map(({ choices, description, names, type }) => {
          const named = names.map((name) =>
            name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
          )
          const value =
            type === "flag" ? [] : choices.length === 0 ? ["-r -F"] : [`-x -a ${quoted(choices.join(" "))}`]
          return [head, ...named, ...value, `-d ${quoted(description)}`].join(" ")
        })
      ]
    })
  ]
}

const scripts: Readonly<Record<Shell, (places: ReadonlyArray<Place>) => ReadonlyArray<string>>> = {
  bash,
  fish,
  zsh
}

/** The script of a shell. */
export const script = (tree: Node, name: string): Effect.Effect<string, Usage> => {
  const shell = shells.find((shell) => shell === name)
  return shell === undefined
    ? usage(`--completions needs ${shells.join(", ")}.${didYouMean(name, shells)}`)
    : Effect.succeed(scripts[shell](all(tree).map(placeOf)).join("\n"))
}
