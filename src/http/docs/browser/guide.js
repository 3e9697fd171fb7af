import { chooseLanguage, showKey, watchExamples } from './examples.js'

/** Examples, and navigation without page loads, so that a typed key stays in memory. */
const bar = /** @type {HTMLElement} */ (document.querySelector('header.bar'))
const keyField = /** @type {HTMLInputElement} */ (document.querySelector('#own-key'))

const page = () => /** @type {HTMLElement} */ (document.querySelector('#page'))

keyField.addEventListener('input', () => showKey(keyField))

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  const link = target?.closest('a')
  if (!link || !isPlain(event)) return
  const url = new URL(link.href)
  if (isOurs(url) && url.pathname !== location.pathname) {
    event.preventDefault()
    void go(url)
  }
})

document.addEventListener('docs:go', (event) => {
  const url = new URL(/** @type {CustomEvent<string>} */ (event).detail, location.href)
  event.preventDefault()
  if (url.pathname === location.pathname) location.hash = url.hash
  else void go(url)
})

window.addEventListener('popstate', () => {
  if (location.pathname !== page().dataset['path']) void show(new URL(location.href))
})

/** @param {MouseEvent} event false for clicks that open another tab or download the target */
function isPlain(event) {
  return !event.defaultPrevented && event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
}

/** The path of the site: `/docs/`, or that of one version on a published site. */
const root = new URL('.', import.meta.url).pathname

/** @param {URL} url */
function isOurs({ origin, pathname }) {
  return origin === location.origin && pathname.startsWith(root) && /^(guides(\/\w+)?|errors)$/.test(pathname.slice(root.length))
}

/** @param {URL} url */
async function go(url) {
  history.pushState(null, '', url)
  await show(url)
}

/** @param {URL} url */
async function show(url) {
  const answer = await fetch(url.pathname, { credentials: 'omit' }).catch(() => undefined)
  const next = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  const content = next?.querySelector('#page')
  const links = next?.querySelector('header.bar nav')
  if (!next || !content || !links) return location.assign(url)
  if (url.href !== location.href) return
  document.title = next.title
  page().replaceWith(document.adoptNode(content))
  bar.querySelector('nav')?.replaceWith(document.adoptNode(links))
  const versions = [...next.querySelectorAll('[data-versions]')]
  for (const [at, part] of document.querySelectorAll('[data-versions]').entries()) part.replaceWith(versions[at] ?? '')
  ready()
  moveTo(url.hash)
}

/**
 * Scrolls to the part of the page and focuses its heading.
 * @param {string} hash
 */
function moveTo(hash) {
  const goal = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
  if (goal) goal.scrollIntoView()
  else scrollTo(0, 0)
  const heading = goal ?? document.querySelector('h1')
  if (heading instanceof HTMLElement) {
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
}

function ready() {
  showKey(keyField)
  chooseLanguage()
  watchHeadings()
}

/** @type {IntersectionObserver | undefined} */
let watching

/** Marks the current section in the table of contents. */
function watchHeadings() {
  watching?.disconnect()
  const links = [...document.querySelectorAll('.contents a')].filter((link) => link instanceof HTMLAnchorElement)
  watching = new IntersectionObserver(
    (entries) => {
      const shown = entries.find(({ isIntersecting }) => isIntersecting)
      if (!shown) return
      for (const link of links) link.toggleAttribute('data-reading', decodeURIComponent(link.hash) === `#${shown.target.id}`)
    },
    { rootMargin: '-56px 0px -70% 0px' },
  )
  for (const link of links) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (heading) watching.observe(heading)
  }
}

watchExamples()
ready()
