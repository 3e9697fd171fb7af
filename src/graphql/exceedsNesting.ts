/**
 * Whether the brackets of a document, outside strings and comments, are nested deeper than `most`. The parser recurses over brackets: two
 * thousand levels exhaust the stack.
 */
export function exceedsNesting(document: string, most: number): boolean {
  let depth = 0
  for (let index = 0; index < document.length; index += 1) {
    const character = document[index] ?? ''
    if (character === '"') index = endOfText(document, index)
    else if (character === '#') index = endOfComment(document, index)
    else if ('{[('.includes(character)) depth += 1
    else if ('}])'.includes(character)) depth -= 1
    if (depth > most) return true
  }
  return false
}

/** The index of the closing quotation mark of the string at `start`. The parser reports a string without one. */
function endOfText(document: string, start: number): number {
  if (document.startsWith('"""', start)) {
    let index = document.indexOf('"""', start + 3)
    while (index !== -1 && document[index - 1] === '\\') index = document.indexOf('"""', index + 3)
    return index === -1 ? document.length : index + 2
  }
  for (let index = start + 1; index < document.length; index += 1) {
    const character = document[index]
    if (character === '"' || character === '\n' || character === '\r') return index
    if (character === '\\') index += 1
  }
  return document.length
}

/** The index of the end of the comment: a line feed or a carriage return, as in the parser. */
function endOfComment(document: string, start: number): number {
  let index = start
  while (index < document.length && document[index] !== '\n' && document[index] !== '\r') index += 1
  return index
}
