import {
  type Browser,
  type BrowserContext,
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
import { browserProgram } from './browserProgram.ts'

/** The service with the pages: a {@link testApp}, or any other listener. */
export type PageSource = { origin: string; services: Services }

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

/** Contexts that no test uses, by their options. They keep only cached files and compiled code. */
const idle = new Map<string, BrowserContext[]>()
/** A page in each context that stays open. Otherwise the renderer process, with the compiled code, would end with each test. */
const keepers = new WeakMap<BrowserContext, Page>()

/** One browser for all test files of this process. Pages of the same site share a process, which has their code compiled. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    ...browserProgram,
    env: { ...process.env, ...browserProgram.env },
    args: ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--process-per-site'],
    chromiumSandbox: false,
  })
  return launched
}

/**
 * A page in a browser context of its own until the test ends, with desktop width by default. The test fails when the page logs an error,
 * violates its content security policy, throws, gets a 5xx, or requests another origin.
 */
export async function aBrowserPage({ origin, services }: PageSource, asked: PageOptions = {}): Promise<BrowserPage> {
  const { as, at, viewport = desktop, ...options } = asked
  const key = JSON.stringify({ origin, options })
  const context = idle.get(key)?.pop() ?? (await aBrowserContext(origin, options))
  if (as) await context.addCookies([await sessionCookie(services, origin, as.id)])
  const page = Object.assign(await context.newPage(), { faults: [] as string[] })
  if (viewport !== null) await page.setViewportSize(viewport)
  const unwatch = watch(page, origin)
  onTestFinished(async () => {
    unwatch()
    if (await emptied(context, origin)) idle.set(key, [...(idle.get(key) ?? []), context])
    else await context.close()
    if (page.faults.length > 0) throw new Error(`the page has faults:\n${page.faults.join('\n')}`)
  })
  if (at !== undefined) await page.goto(at)
  return page
}

async function aBrowserContext(origin: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await browser()).newContext({
    baseURL: origin,
    viewport: desktop,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  context.setDefaultTimeout(20_000)
  const keeper = await context.newPage()
  await keeper.goto('/healthz')
  keepers.set(context, keeper)
  return context
}

/** Removes everything that a test can leave in a context but cached files; false if that failed. */
async function emptied(context: BrowserContext, origin: string): Promise<boolean> {
  try {
    await context.setOffline(false)
    await Promise.all([context.clearPermissions(), context.clearCookies(), context.unrouteAll({ behavior: 'ignoreErrors' })])
    const pages = context.pages().filter((each) => each !== keepers.get(context))
    const [page] = pages
    if (page === undefined) return false
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,service_workers,cache_storage' })
    await Promise.all(pages.map((each) => each.close()))
    return true
  } catch {
    return false
  }
}

async function sessionCookie(services: Services, origin: string, userId: string) {
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

/** Browsers also log refused requests, which are not faults of the page. */
function isFault(message: ConsoleMessage): boolean {
  return ['error', 'warning', 'assert'].includes(message.type()) && !message.text().startsWith('Failed to load resource')
}
