/** Where the chosen language stays, for later pages and visits. */
const storedAs = 'docs-language'

/** Storage can be off in a browser; the choice then ends with the page. */
function storedLanguage() {
  try {
    return localStorage.getItem(storedAs) ?? ''
  } catch {
    return ''
  }
}

let chosen = storedLanguage()

/** Makes tabs and copy buttons work, now and in content that replaces the present one. */
export function watchExamples() {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    const tab = target?.closest('.example [role=tab]')
    if (tab instanceof HTMLElement) selectLanguage(tab.dataset['language'] ?? '')
    const copy = target?.closest('button.copy')
    if (copy instanceof HTMLButtonElement) void copyExample(copy)
  })
  document.addEventListener('keydown', (event) => {
    const tab = event.target
    if (!(tab instanceof HTMLElement) || !tab.matches('.example [role=tab]') || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return
    const tabs = [...(tab.parentElement?.querySelectorAll('[role=tab]') ?? [])]
    const next = tabs.at((tabs.indexOf(tab) + (event.key === 'ArrowRight' ? 1 : -1)) % tabs.length)
    if (!(next instanceof HTMLElement)) return
    selectLanguage(next.dataset['language'] ?? '')
    next.focus()
  })
}

/** @param {string} language */
function selectLanguage(language) {
  chooseLanguage(language)
  try {
    localStorage.setItem(storedAs, language)
  } catch {
    // Storage is off.
  }
}

/**
 * Shows a language in all tabs that have it.
 * @param {string} [language] default: the last chosen one
 */
export function chooseLanguage(language = chosen) {
  chosen = language
  if (language === '') return
  for (const group of document.querySelectorAll('[data-tabs]')) {
    const tabs = [...group.querySelectorAll('[role=tab]')].filter((tab) => tab instanceof HTMLElement)
    if (!tabs.some((tab) => tab.dataset['language'] === language)) continue
    for (const tab of tabs) {
      const isChosen = tab.dataset['language'] === language
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      document.getElementById(`${tab.id}-code`)?.toggleAttribute('hidden', !isChosen)
    }
  }
}

/**
 * Replaces the placeholders in the examples by the typed key. The key is kept only in the field.
 * @param {HTMLInputElement} field
 */
export function showKey(field) {
  const key = field.value.trim()
  const isKey = /^[\w-]+$/.test(key)
  field.setAttribute('aria-invalid', String(key !== '' && !isKey))
  for (const place of document.querySelectorAll('[data-key]')) {
    if (!(place instanceof HTMLElement)) continue
    place.dataset['sample'] ??= place.textContent ?? ''
    const { before = '', after = '' } = place.dataset
    place.textContent = isKey ? `${before}${key}${after}` : place.dataset['sample']
    place.toggleAttribute('data-own', isKey)
  }
}

/**
 * The clipboard API works only on https and localhost. Elsewhere, this copies the selection with execCommand.
 * @param {HTMLElement} code
 */
function copySelected(code) {
  getSelection()?.selectAllChildren(code)
  /** @type {{ execCommand(command: string): boolean }} */
  const older = document
  return older.execCommand('copy')
}

/** @param {HTMLButtonElement} button */
async function copyExample(button) {
  const code = [...(button.closest('.example')?.querySelectorAll('pre') ?? [])].find((each) => !each.closest('[hidden]'))
  if (!code) return
  const isCopied = await navigator.clipboard?.writeText(code.textContent ?? '').then(
    () => true,
    () => false,
  )
  button.textContent = isCopied || copySelected(code) ? 'Copied' : 'Press Ctrl+C'
  const status = document.querySelector('#copied')
  if (status) status.textContent = button.textContent
  setTimeout(() => {
    button.textContent = 'Copy'
    if (status) status.textContent = ''
  }, 2000)
}
