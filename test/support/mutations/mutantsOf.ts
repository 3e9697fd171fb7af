export type Mutant = { line: number; from: string; to: string; text: string }
export type Language = 'sql' | 'ts'

type Operator = { pattern: RegExp; to: string }

const shared: Operator[] = [
  { pattern: / \+ /, to: ' - ' },
  { pattern: / - /, to: ' + ' },
  { pattern: /(?<!\bselect) \* /, to: ' / ' },
  { pattern: / <= /, to: ' > ' },
  { pattern: / >= /, to: ' < ' },
  { pattern: / < /, to: ' >= ' },
  { pattern: / > /, to: ' <= ' },
  { pattern: /\btrue\b/, to: 'false' },
  { pattern: /\bfalse\b/, to: 'true' },
]

const operators: Record<Language, Operator[]> = {
  sql: [
    ...shared,
    { pattern: / <> /, to: ' = ' },
    { pattern: /(?<=\b(?:where|and|or|when|if|on(?! conflict))\b(?:(?!\bset\b)[^;])*) = /, to: ' <> ' },
    { pattern: / and /, to: ' or ' },
    { pattern: /(?<=\b(?:where|when|if)\b.*) or /, to: ' and ' },
    { pattern: /\bis not null\b/, to: 'is null' },
    { pattern: /\bis null\b/, to: 'is not null' },
    { pattern: /\bnot exists\b/, to: 'exists' },
    { pattern: /\bleast\(/, to: 'greatest(' },
    { pattern: /\bgreatest\(/, to: 'least(' },
    { pattern: /(?<=[(, ])-(?=[a-z])/, to: '' },
    { pattern: /^\s*(?:perform|update|insert|delete|return) .*;$/, to: '  null;' },
  ],
  ts: [
    ...shared,
    { pattern: / === /, to: ' !== ' },
    { pattern: / !== /, to: ' === ' },
    { pattern: / && /, to: ' || ' },
    { pattern: / \|\| /, to: ' && ' },
    // SQL text; elsewhere the word is prose.
    { pattern: /(?<=\b(?:where|when|on|having)\b.*|^\s*(?:and|or)\b.*) and /, to: ' or ' },
    { pattern: / \?\? .*?(?=[),;\]}]|$)/, to: '' },
    { pattern: /\bMath\.min\(/, to: 'Math.max(' },
    { pattern: /\bMath\.max\(/, to: 'Math.min(' },
    { pattern: /^\s*await .*\)$/, to: '' },
  ],
}

/** Lines that state no rule: comments, imports, types, and brackets. */
const skipped = /^\s*(?:--|\/\/|\/?\*|import |export type |type |create or replace function |returns |[)\]}]|$)/

/** Copies of `text` with one operator changed or one statement removed each, line by line. */
export function mutantsOf(text: string, language: Language): Mutant[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (skipped.test(line)) return []
    return operators[language].flatMap(({ pattern, to }) => {
      const changed = line.replace(pattern, to)
      if (changed === line) return []
      return [{ line: index + 1, from: line.trim(), to: changed.trim(), text: lines.with(index, changed).join('\n') }]
    })
  })
}
