import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserProgram } from '../../test/support/browser/browserProgram.ts'
import { setup as prepareBrowser } from '../../test/support/runs/browserSetup.ts'

/** A visit of a page until its rows are shown. */
export type Visit = { seconds: number; taskSeconds: number; bytes: number; requests: number }

const limitMs = 60_000

type Line = { latency: number; downloadThroughput: number; uploadThroughput: number }
type VisitOptions = { count: number; isWarm?: boolean; line?: Line }
type Visitor = { visits(path: string, options: VisitOptions): Promise<Visit[]>; close(): Promise<void> }

/** Reports the milliseconds from the start of the navigation to the first frame with a row. */
const watchRows = `new MutationObserver((_changes, observer) => {
  if (!document.querySelector('tbody [role="row"]')) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => rowsShown(performance.now())))
}).observe(document, { childList: true, subtree: true })`

/**
 * A signed-in person with the browser of the tests. Each cold visit has an empty cache; warm visits load a page that was loaded twice
 * before. A context of Playwright stores no compiled code, so a warm visit compiles all code again. `line`: of all requests of a visit.
 */
export async function openVisitor({ origin, person }: { origin: string; person: { email: string; password: string } }): Promise<Visitor> {
  await prepareBrowser()
  const browser = await chromium.launch({
    ...browserProgram,
    env: { ...process.env, ...browserProgram.env },
    args: ['--no-sandbox', '--no-zygote', '--in-process-gpu'],
    chromiumSandbox: false,
  })
  const signedIn = await browser.newContext({ baseURL: origin })
  const { email, password } = person
  await signedIn.request.post('/auth/sign-in/email', { data: { email, password }, headers: { origin } })
  const storageState = await signedIn.storageState()
  await signedIn.close()

  async function visits(path: string, { count, isWarm = false, line }: VisitOptions): Promise<Visit[]> {
    const taken: Visit[] = []
    let context: BrowserContext | undefined
    while (taken.length < count) {
      if (!isWarm || context === undefined) {
        await context?.close()
        context = await browser.newContext({ baseURL: origin, storageState, viewport: { width: 1440, height: 900 } })
        if (isWarm) for (let load = 0; load < 2; load += 1) await visit(context, path, line)
      }
      taken.push(await visit(context, path, line))
    }
    await context?.close()
    return taken
  }
  return { visits, close: () => browser.close() }
}

async function visit(context: BrowserContext, path: string, line: Line | undefined): Promise<Visit> {
  const page = await context.newPage()
  const shown = Promise.withResolvers<number>()
  await page.exposeFunction('rowsShown', shown.resolve)
  const late = setTimeout(() => shown.reject(new Error(`no rows at ${path} within ${limitMs / 1000} s`)), limitMs)
  await page.addInitScript(watchRows)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Network.enable')
  if (line) await session.send('Network.emulateNetworkConditions', { offline: false, ...line })
  let bytes = 0
  let requests = 0
  session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength))
  session.on('Network.requestWillBeSent', () => (requests += 1))
  await page.goto(path, { waitUntil: 'commit' })
  const rowsAt = await shown.promise
  clearTimeout(late)
  const received = { bytes, requests }
  const { metrics } = await session.send('Performance.getMetrics')
  const taskSeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  if (process.env['BENCH_TRACE'] === '1') process.stderr.write(`rows ${rowsAt}\n${await timeline(page)}`)
  await page.close()
  return { seconds: rowsAt / 1000, taskSeconds, ...received }
}

/** The requests of a visit, for `BENCH_TRACE=1 npm run bench -- screens`. */
async function timeline(page: Page): Promise<string> {
  const entries = await page.evaluate<PerformanceEntryList>(`performance.getEntries().map((entry) => entry.toJSON())`)
  return entries
    .filter(({ entryType }) => entryType === 'resource' || entryType === 'paint')
    .map(({ startTime, duration, name }) => `${Math.round(startTime)} ${Math.round(startTime + duration)} ${name.split('/').pop()}\n`)
    .join('')
}
