import { keyPattern, markKeyPlaceholders } from './placeholders.ts'

type Grammar = { comment?: string; string: string; words?: string }

const doubleQuoted = String.raw`"(?:\\.|[^"\\])*"`
const singleQuoted = String.raw`'(?:\\.|[^'\\\n])*'`
const lineComment = String.raw`(?<![\w:])\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const hashComment = String.raw`(?<![^\s])#[^\n]*`

/** Simple grammars for one pass without nesting. */
const grammars: Record<string, Grammar> = {
  sh: {
    comment: hashComment,
    string: String.raw`${doubleQuoted}|'[^']*'`,
    words: 'curl|export|npm|npx|node|python3|pip|do|done|for|if|then|fi|while',
  },
  ts: {
    comment: lineComment,
    string: String.raw`${singleQuoted}|${doubleQuoted}|\x60(?:\\.|[^\x60\\])*\x60`,
    words:
      'as|async|await|break|case|catch|class|const|continue|default|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|switch|throw|true|try|type|typeof|undefined|while',
  },
  python: {
    comment: hashComment,
    string: String.raw`"""[\s\S]*?"""|${doubleQuoted}|${singleQuoted}`,
    words:
      'and|as|async|await|break|class|continue|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield',
  },
  go: {
    comment: lineComment,
    string: String.raw`${doubleQuoted}|\x60[^\x60]*\x60`,
    words:
      'break|case|const|continue|default|defer|else|for|func|go|if|import|interface|map|nil|package|range|return|struct|switch|type|var',
  },
  json: { string: doubleQuoted, words: 'true|false|null' },
  graphql: { comment: hashComment, string: doubleQuoted, words: 'query|mutation|fragment|on|input|type|enum|true|false|null' },
  nginx: { comment: hashComment, string: doubleQuoted },
  yaml: { comment: hashComment, string: `${doubleQuoted}|${singleQuoted}`, words: 'true|false|null' },
}

const patterns = Object.fromEntries(
  Object.entries(grammars).map(([language, { comment = '(?!)', string, words = '(?!)' }]) => [
    language,
    new RegExp(
      String.raw`(?<comment>${comment})|(?<key>${keyPattern})|(?<string>${string})|(?<word>(?<![\w.$-])(?:${words})(?![\w-]))`,
      'g',
    ),
  ]),
)

/** Renders code as HTML with classes for comments, strings and keywords. An unknown language gets no classes. */
export function highlightCode(code: string, language: string): string {
  const pattern = patterns[language]
  if (!pattern) return markKeyPlaceholders(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const { comment, string, word } = match.groups ?? {}
    const kind = comment === undefined ? (string === undefined ? (word === undefined ? undefined : 'word') : 'string') : 'comment'
    const text = markKeyPlaceholders(match[0])
    html += markKeyPlaceholders(code.slice(end, match.index)) + (kind === undefined ? text : `<span class="${kind}">${text}</span>`)
    end = match.index + match[0].length
  }
  return html + markKeyPlaceholders(code.slice(end))
}
