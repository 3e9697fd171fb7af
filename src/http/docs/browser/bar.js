/** The search in the top bar: `/` focuses it, arrow keys select, Enter opens. */
const field = /** @type {HTMLInputElement} */ (document.querySelector('#search'))
const list = /** @type {HTMLUListElement} */ (document.querySelector('#found'))
const none = /** @type {HTMLElement} */ (document.querySelector('#found-none'))

/** @type {Promise<{ find(words: string): import('./search.js').Found[], snippetOf: typeof import('./search.js').snippetOf }> | undefined} */
let search
let chosen = -1

function openSearch() {
  search ??= import('./search.js').then(async ({ openSearch: open, snippetOf }) => ({ ...(await open()), snippetOf }))
  search.catch(() => {
    search = undefined
  })
  return search
}

async function show() {
  const words = field.value.trim()
  if (words === '') return hide()
  const opened = await openSearch().catch(() => undefined)
  if (words !== field.value.trim() || document.activeElement !== field) return
  const found = opened?.find(words) ?? []
  list.replaceChildren(...found.map((each, index) => option(each, index, opened?.snippetOf(each) ?? [])))
  list.hidden = found.length === 0
  none.textContent = found.length > 0 ? '' : opened ? 'Nothing found' : 'The search could not be read'
  field.setAttribute('aria-expanded', String(found.length > 0))
  choose(found.length > 0 ? 0 : -1)
}

/**
 * @param {import('./search.js').Found} found
 * @param {number} index
 * @param {{ text: string, isMarked: boolean }[]} snippet
 */
function option({ path, page, heading }, index, snippet) {
  const item = element('li', '')
  item.id = `found-${index}`
  item.role = 'option'
  item.dataset['path'] = path
  const place = element('span', heading === page ? page : `${page} › ${heading}`)
  const text = element('small', '')
  text.append(...snippet.map((piece) => (piece.isMarked ? element('mark', piece.text) : piece.text)))
  item.append(place, text)
  return item
}

/** @param {string} name @param {string} text */
function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text })
}

/** @param {number} index */
function choose(index) {
  chosen = index
  for (const [at, item] of [...list.children].entries()) {
    item.setAttribute('aria-selected', String(at === index))
    if (at === index) item.scrollIntoView({ block: 'nearest' })
  }
  if (index < 0) field.removeAttribute('aria-activedescendant')
  else field.setAttribute('aria-activedescendant', `found-${index}`)
}

function hide() {
  list.hidden = true
  none.textContent = ''
  field.setAttribute('aria-expanded', 'false')
  choose(-1)
}

/** @param {Element | null | undefined} item @param {boolean} [apart] in a window of its own */
function open(item, apart) {
  const path = item instanceof HTMLElement ? item.dataset['path'] : undefined
  if (path === undefined) return
  if (apart) {
    window.open(path, '_blank', 'noopener')
    return
  }
  field.value = ''
  field.blur()
  hide()
  // A guide page handles the event and loads the target without a page load.
  const go = new CustomEvent('docs:go', { detail: path, cancelable: true })
  if (document.dispatchEvent(go)) location.assign(path)
}

field.addEventListener('focus', () => void openSearch().catch(() => undefined))
field.addEventListener('input', () => void show())
field.addEventListener('blur', hide)
field.addEventListener('keydown', (event) => {
  const count = list.hidden ? 0 : list.children.length
  if (event.key === 'Escape') {
    field.value = ''
    field.blur()
  } else if (count === 0) return
  else if (event.key === 'ArrowDown') choose((chosen + 1) % count)
  else if (event.key === 'ArrowUp') choose((chosen + count - 1) % count)
  else if (event.key === 'Enter') open(list.children[chosen], event.ctrlKey || event.metaKey)
  else return
  event.preventDefault()
})
// Runs before the field loses the focus, which hides the list.
list.addEventListener('pointerdown', (event) => event.preventDefault())
list.addEventListener('click', (event) => {
  if (event.target instanceof Element) open(event.target.closest('[role=option]'), event.ctrlKey || event.metaKey)
})
document.addEventListener('keydown', (event) => {
  const inField =
    event.composedPath()[0] instanceof HTMLElement &&
    /** @type {HTMLElement} */ (event.composedPath()[0]).matches(
      'input, textarea, select, [contenteditable=true], [contenteditable=true] *',
    )
  if (event.key !== '/' || inField || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  field.focus()
})
