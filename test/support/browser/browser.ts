import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
  type Response,
  type WebError,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { lazySessionIssuer } from '../../../src/auth/authDoor.ts'
import type { Services } from '../../../src/domain/context.ts'
import { visitPort } from '../processes/freePort.ts'
import { browserProgram } from './browserProgram.ts'

/** The service with the pages: a {@link testApp}, or any other listener. Without services nobody can be signed in. */
export type PageSource = { origin: string; services?: Services }

export type PageOptions = BrowserContextOptions & {
  /** The signed-in person; default: none. */
  as?: { id: string } | undefined
  /** The first path. */
  at?: string
}

/** A test removes faults that it provokes on purpose from `faults`. */
export type BrowserPage = Page & { faults: string[] }

const desktop = { width: 1280, height: 800 }
let launched: Promise<Browser> | undefined

/** Pages that no test uses, by origin and options, each in a context of its own. Both keep only cached files and compiled code. */
const idle = new Map<string, Page[]>()

/** Where idle pages are. A page of the same site keeps the renderer process, with the compiled code. */
const idlePath = '/healthz'

/** One browser for all test files of this process. Pages of the same site share a process, which has their code compiled. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    ...browserProgram,
    env: { ...process.env, ...browserProgram.env },
    // A page is open for a second or two. To optimise its code takes longer than the faster code saves.
    args: ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--process-per-site', '--js-flags=--no-turbofan,--no-maglev'],
    chromiumSandbox: false,
  })
  return launched
}

/**
 * A page in a browser context of its own until the test ends, with desktop width by default. The test fails when the page logs an error,
 * violates its content security policy, throws, gets a 5xx, or requests another origin. Later tests use the emptied page again, because a
 * new page takes as much processor time as the load of a screen. So a test that looks at several addresses as one person navigates one page.
 */
export async function aBrowserPage({ origin, services }: PageSource, asked: PageOptions = {}): Promise<BrowserPage> {
  const { as, at, viewport = desktop, colorScheme = 'light', ...options } = asked
  const key = JSON.stringify({ origin, options })
  const page = Object.assign(idle.get(key)?.pop() ?? (await anIdlePage(origin, options)), { faults: [] as string[] })
  const context = page.context()
  if (as && !services) throw new Error('only a service signs people in')
  if (as && services) await context.addCookies([await sessionCookie(services, origin, as.id)])
  if (viewport !== null) await page.setViewportSize(viewport)
  if (colorScheme !== 'light') await page.emulateMedia({ colorScheme })
  const unwatch = watch(page, origin)
  const requests = watchRequests(page)
  onTestFinished(async ({ task }) => {
    unwatch()
    if (task.result?.state === 'fail') console.error(await requests.describe())
    requests.stop()
    if (await emptied(page, origin)) idle.set(key, [...(idle.get(key) ?? []), page])
    else await context.close()
    if (page.faults.length > 0) throw new Error(`the page has faults:\n${page.faults.join('\n')}`)
  })
  if (at !== undefined) await page.goto(at)
  return page
}

async function anIdlePage(origin: string, options: BrowserContextOptions): Promise<Page> {
  visitPort(Number(new URL(origin).port))
  const context = await (await browser()).newContext({
    baseURL: origin,
    viewport: desktop,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  await page.goto(idlePath)
  return page
}

/** Removes everything that a test can leave in a page and its context but cached files. False if that failed, or if the clock is set. */
async function emptied(page: Page, origin: string): Promise<boolean> {
  const context = page.context()
  try {
    const others = context.pages().filter((each) => each !== page)
    for (const event of ['console', 'dialog', 'request', 'response'] as const) page.removeAllListeners(event)
    await Promise.all([
      context.setOffline(false),
      context.clearPermissions(),
      context.clearCookies(),
      context.unrouteAll({ behavior: 'ignoreErrors' }),
      page.unrouteAll({ behavior: 'ignoreErrors' }),
      page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' }),
      page.mouse.move(-1, -1),
      ...others.map((each) => each.close()),
    ])
    await page.goto(idlePath)
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,service_workers,cache_storage' })
    await session.send('Page.resetNavigationHistory')
    await session.detach()
    return await page.evaluate<boolean>(`(sessionStorage.clear(), !('__pwClock' in globalThis))`)
  } catch {
    return false
  }
}

export async function sessionCookie(services: Services, origin: string, userId: string) {
  const { open } = await lazySessionIssuer(services)()
  const [cookie = ''] = (await open({ userId, passwordHash: null })) ?? []
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  return { name, value: decodeURIComponent(value), url: origin, httpOnly: true, sameSite: 'Lax' as const }
}

/** Collects the faults of all pages of the context, until the returned function is called. */
function watch(page: BrowserPage, origin: string): () => void {
  const context = page.context()
  const onError = (error: WebError) => page.faults.push(`uncaught: ${error.error().message}`)
  const onConsole = (message: ConsoleMessage) => {
    if (isFault(message)) page.faults.push(`console ${message.type()}: ${message.text()}`)
  }
  const onRequest = (request: Request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(blob|data):/.test(request.url()))
      page.faults.push(`asked elsewhere: ${request.url()}`)
  }
  const onResponse = (response: Response) => {
    if (response.status() >= 500) page.faults.push(`answered ${response.status()}: ${response.url()}`)
  }
  context.on('weberror', onError).on('console', onConsole).on('request', onRequest).on('response', onResponse)
  return () => void context.off('weberror', onError).off('console', onConsole).off('request', onRequest).off('response', onResponse)
}

/** The latest requests of a page, to say what it waited for when its test failed. */
function watchRequests(page: Page): { describe: () => Promise<string>; stop: () => void } {
  const context = page.context()
  const started = Date.now()
  const latest: { request: Request; at: number }[] = []
  const onRequest = (request: Request) => {
    latest.push({ request, at: Date.now() - started })
    if (latest.length > 60) latest.shift()
  }
  context.on('request', onRequest)
  const describe = async () => {
    const lines = await Promise.all(
      latest.map(async ({ request, at }) => {
        const answer = request.timing().responseEnd
        const response = answer < 0 ? undefined : await request.response().catch(() => undefined)
        const failure = request.failure()?.errorText
        const end = failure ?? (response ? `${response.status()} after ${Math.round(answer)} ms` : 'without an answer')
        return `${at} ms ${request.method()} ${request.url()} ${request.postData()?.slice(0, 300) ?? ''}: ${end}`
      }),
    )
    const seen = await page
      .evaluate<string>(`document.visibilityState + ' ' + document.hasFocus() + '\\n' + document.body.innerText`)
      .catch((error: Error) => error.message)
    return [`The page ${page.url()} at ${Date.now() - started} ms, after these requests:`, ...lines, seen].join('\n')
  }
  return { describe, stop: () => void context.off('request', onRequest) }
}

/** Browsers also log refused requests, which are not faults of the page. */
function isFault(message: ConsoleMessage): boolean {
  return ['error', 'warning', 'assert'].includes(message.type()) && !message.text().startsWith('Failed to load resource')
}
