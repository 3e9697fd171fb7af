import type { Page } from 'playwright-core'

/** An element in document order: what it and its ancestors look like to axe, and how many elements it contains with itself. */
type Part = [key: number, size: number]

/** Parts that have been found accessible in both colour schemes, by the width of the window. */
const accessible = new Map<number | undefined, Set<number>>()

export type UncheckedParts = {
  /** The elements of `window.atelierParts` that need no further check. */
  skipped: number[]
  /** True when nothing on the page is left to check. */
  none: boolean
  /** Records that the others have been found accessible. */
  confirm(): void
}

/**
 * Compares the elements of the page with those that this process has already found accessible. Two elements are equal when their tags,
 * attributes, labels and contents are, whatever their texts and identifiers say: rows of a table, or the navigation of two pages.
 */
export async function uncheckedParts(page: Page): Promise<UncheckedParts> {
  const width = page.viewportSize()?.width
  const known = accessible.get(width) ?? new Set()
  accessible.set(width, known)
  const parts = await page.evaluate<Part[]>(collectParts)
  const found = new Set<number>()
  const skipped: number[] = []
  for (let index = 0; index < parts.length; ) {
    const [key, size] = parts[index] ?? [0, 1]
    const isChecked = known.has(key) || found.has(key)
    if (isChecked) skipped.push(index)
    else found.add(key)
    index += isChecked ? size : 1
  }
  return { skipped, none: found.size === 0, confirm: () => found.forEach((key) => known.add(key)) }
}

/** Runs in the page. Colours and roles count as they are; of texts, numbers and identifiers only whether there are any. */
const collectParts = `(() => {
  const hash = (text) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let n = 0; n < text.length; n += 1) {
      a = Math.imul(a ^ text.charCodeAt(n), 2654435761)
      b = Math.imul(b ^ text.charCodeAt(n), 1597334677)
    }
    return (b >>> 0) * 2097152 + (a >>> 11)
  }
  const references = new Set(['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns', 'aria-activedescendant', 'headers'])
  const words = new Set(['aria-label', 'title', 'alt', 'href', 'src', 'value', 'placeholder', 'name', 'content', 'd'])
  const numberless = (text) => text.replace(/[0-9]+/g, '0')
  const look = (declaration) => (/colou?r|background|opacity|fill|stroke|display|visib/.test(declaration) ? declaration : numberless(declaration))
  const attribute = ({ name, value }) => {
    if (name === 'id') return 'id'
    if (references.has(name)) return name + value.split(/\\s+/).map((id) => (document.getElementById(id) ? '+' : '-')).join('')
    if (words.has(name)) return name + (value.trim() === '' ? '' : '+')
    if (name === 'style') return name + value.split(';').map(look).join(';')
    return name + '=' + (['class', 'role', 'fill', 'stroke'].includes(name) ? value : numberless(value))
  }
  const own = (element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const state = [element.checked, element.selected, element.labels?.length, element.value === undefined ? '' : element.value !== '']
    return [element.localName, hasText, ...state, ...[...element.attributes].map(attribute)].join('|')
  }
  const parts = []
  const elements = []
  const visit = (element, above) => {
    const index = parts.length
    const look = own(element)
    const path = hash(above + look)
    parts.push([0, 0])
    elements.push(element)
    const inside = [...element.children].map((child, place) => visit(child, path + (place % 2)))
    const content = hash(look + inside.join())
    parts[index] = [hash(above + '>' + content), parts.length - index]
    return content
  }
  visit(document.documentElement, document.title === '' ? 'untitled' : 'titled')
  window.atelierParts = elements
  return parts
})()`
