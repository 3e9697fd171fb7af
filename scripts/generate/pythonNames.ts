const keywords = ['from', 'in', 'is', 'not', 'or', 'and', 'class', 'def', 'global', 'import', 'lambda', 'pass', 'return', 'while', 'with']

/** Converts `model3dIds` to `model3d_ids`, and `from` to `from_`. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  if (!/^[a-z_][a-z0-9_]*$/.test(snake)) throw new Error(`${name} cannot be a Python name`)
  return keywords.includes(snake) ? `${snake}_` : snake
}

/** Converts `invalid_request` or `breakdown` to a class name, or a part of one. */
export function typeName(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function quoted(text: string): string {
  return JSON.stringify(text)
}

const columns = 96

/** Returns the description as a docstring with wrapped lines; empty without a description. */
export function docstring(words: string | undefined, indent: string): string {
  if (words === undefined) return ''
  const text = words.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  const oneLine = `${indent}"""${text}"""`
  if (oneLine.length <= columns && !text.endsWith('"')) return `${oneLine}\n`
  return `${indent}"""${wrapped(text, columns - indent.length).join(`\n${indent}`)}\n${indent}"""\n`
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && line.length <= width - (lines.length === 1 ? 3 : 0)) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

/** Returns `__all__` of a module, in Python's sort order. */
export function exported(names: string[]): string {
  return `__all__ = [\n${names
    .toSorted()
    .map((name) => `    ${quoted(name)},\n`)
    .join('')}]\n\n\n`
}
