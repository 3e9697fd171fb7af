import { type Browser, type BrowserContextOptions, type ConsoleMessage, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { lazySessionIssuer } from '../../../src/auth/lazySessionIssuer.ts'
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

let launched: Promise<Browser> | undefined

/** One browser for all test files of this process; each page has its own context. */
function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    ...browserProgram,
    env: { ...process.env, ...browserProgram.env },
    args: ['--no-sandbox', '--no-zygote', '--in-process-gpu'],
    chromiumSandbox: false,
  })
  return launched
}

/**
 * A page in its own browser context, with desktop width by default. The test fails when the page logs an error,
 * violates its content security policy, throws, gets a 5xx, or requests another origin.
 */
export async function aBrowserPage({ origin, services }: PageSource, { as, at, ...options }: PageOptions = {}): Promise<BrowserPage> {
  const context = await (await browser()).newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  context.setDefaultTimeout(20_000)
  if (as) await context.addCookies([await sessionCookie(services, origin, as.id)])
  const page = Object.assign(await context.newPage(), { faults: [] as string[] })
  watch(page, origin)
  onTestFinished(async () => {
    await context.close()
    if (page.faults.length > 0) throw new Error(`the page has faults:\n${page.faults.join('\n')}`)
  })
  if (at !== undefined) await page.goto(at)
  return page
}

async function sessionCookie(services: Services, origin: string, userId: string) {
  const { open } = await lazySessionIssuer(services)()
  const [cookie = ''] = (await open({ userId, passwordHash: null })) ?? []
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  return { name, value: decodeURIComponent(value), url: origin, httpOnly: true, sameSite: 'Lax' as const }
}

function watch(page: BrowserPage, origin: string): void {
  const context = page.context()
  context.on('weberror', (error) => page.faults.push(`uncaught: ${error.error().message}`))
  context.on('console', (message) => {
    if (isFault(message)) page.faults.push(`console ${message.type()}: ${message.text()}`)
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(blob|data):/.test(request.url()))
      page.faults.push(`asked elsewhere: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) page.faults.push(`answered ${response.status()}: ${response.url()}`)
  })
}

/** Browsers also log refused requests, which are not faults of the page. */
function isFault(message: ConsoleMessage): boolean {
  return ['error', 'warning', 'assert'].includes(message.type()) && !message.text().startsWith('Failed to load resource')
}
