/** How a language writes values. */
export type Notation = {
  quote(text: string): string
  name(name: string): string
  words: Record<'true' | 'false' | 'null', string>
  /** Spaces for each level. */
  step: number
  /** Between a brace and the first name. */
  space: string
}

export const typescript: Notation = {
  quote: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  name: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : typescript.quote(name)),
  words: { true: 'true', false: 'false', null: 'null' },
  step: 2,
  space: ' ',
}

export const python: Notation = {
  quote: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  step: 4,
  space: '',
}

/** Longer values and calls are written over several lines. */
const lineLengthMax = 80

/** Writes a JSON value as an expression. `indent`: the spaces before the line on which it begins. */
export function printValue(value: unknown, notation: Notation, indent = 0): string {
  if (typeof value === 'string') return notation.quote(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null) return notation.words[`${value}`]
  if (typeof value !== 'object') throw new Error('not a JSON value')
  if (Array.isArray(value)) {
    return printList({ open: '[', close: ']', notation, indent }, (inner) => value.map((each) => printValue(each, notation, inner)))
  }
  const { space } = notation
  const printFields = (inner: number) =>
    Object.entries(value).map(([name, each]) => `${notation.name(name)}: ${printValue(each, notation, inner)}`)
  return printList({ open: '{', close: '}', space, notation, indent }, printFields)
}

type List = { open: string; close: string; space?: string; notation: Notation; indent: number }

/** Writes items between brackets: in one line if it is short, else one item per line. `print` gets the spaces before an item. */
export function printList({ open, close, space = '', notation, indent }: List, print: (indent: number) => readonly string[]): string {
  const items = print(indent + notation.step)
  if (items.length === 0) return open + close
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length + indent <= lineLengthMax && !line.includes('\n')) return line
  const inner = ' '.repeat(indent + notation.step)
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${' '.repeat(indent)}${close}`
}
