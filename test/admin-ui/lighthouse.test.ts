import { availableParallelism, loadavg } from 'node:os'
import lighthouse, { desktopConfig, type Report } from 'lighthouse'
import { chromium } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { sessionCookie } from '../support/browser/browser.ts'
import { browserProgram } from '../support/browser/browserProgram.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { freePort } from '../support/processes/freePort.ts'

/** Lighthouse simulates the line and the processor from a load that it watches, so other work on the machine lowers its score. */
const performanceMin = 95
const attemptsMax = 3
/** The score counts above this measure of the processor, by Lighthouse, and below this load of each. Otherwise it is only printed. */
const [benchmarkIndexMin, loadMax] = [2000, 2]

const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { user, team, value: key } = await aTeamWithKey(app.services)
for (const prompt of ['a lighthouse at dusk', 'a harbour in fog']) {
  const { generationId } = (await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt } })).body
  await app.ask(`GET /generations/${generationId}?wait=60`, { key })
}
const { name, value } = await sessionCookie(app.services, app.origin, user.id)
const session = { Cookie: `${name}=${encodeURIComponent(value)}` }

const port = await freePort()
const browser = await chromium.launch({
  ...browserProgram,
  env: { ...process.env, ...browserProgram.env },
  args: ['--no-sandbox', '--no-zygote', '--in-process-gpu', `--remote-debugging-port=${port}`],
  chromiumSandbox: false,
})
afterAll(() => browser.close())

const screens: [string, string, Record<string, string>][] = [
  ['sign-in', '/sign-in', {}],
  ['overview', `/${team.id}/overview`, session],
  ['history', `/${team.id}/history`, session],
  ['playground', `/${team.id}/playground`, session],
]

/** A phone is the preset of Lighthouse itself. */
const presets = [
  ['desktop', desktopConfig],
  ['phone', undefined],
] as const

async function audit(path: string, extraHeaders: Record<string, string>, config: object | undefined): Promise<Report> {
  const flags = { port, onlyCategories: ['performance', 'accessibility'], extraHeaders, logLevel: 'silent' } as const
  const result = await lighthouse(`${app.origin}/integrations${path}`, { ...flags, onlyCategories: [...flags.onlyCategories] }, config)
  if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? 'no report')
  return result.lhr
}

const scoreOf = ({ categories }: Report, category: string) => Math.round((categories[category]?.score ?? 0) * 100)
const figureOf = ({ audits }: Report, id: string) => audits[id]?.numericValue ?? Number.NaN
const itemsOf = ({ audits }: Report, id: string) => audits[id]?.details?.items ?? []

/** The audits of a category that failed, so that a failure says why. */
function failedOf({ categories, audits }: Report, category: string): string[] {
  return (categories[category]?.auditRefs ?? []).map(({ id }) => id).filter((id) => audits[id]?.score === 0)
}

/** What does not depend on other work on the machine. */
function expectSteadyFigures(report: Report): void {
  const accessibility = { score: scoreOf(report, 'accessibility'), failed: failedOf(report, 'accessibility') }
  expect(accessibility).toEqual({ score: 100, failed: [] })
  expect(figureOf(report, 'total-byte-weight')).toBeLessThan(390_000)
  expect(itemsOf(report, 'network-requests').length).toBeLessThan(35)
  expect(figureOf(report, 'cumulative-layout-shift')).toBeLessThan(0.01)
  // The styles of all pages, and the script that prevents a flash of the wrong colours.
  const blocking = itemsOf(report, 'render-blocking-insight').map(({ url = '' }) => new URL(url).pathname)
  expect(blocking.filter((path) => !/\/assets\/(first-[\w-]+\.css|colorScheme-[\w-]+\.js)$/.test(path))).toEqual([])
}

function isQuiet({ environment }: Report): boolean {
  const [load = 0] = loadavg()
  return environment.benchmarkIndex >= benchmarkIndexMin && load <= loadMax * availableParallelism()
}

function describeReport(report: Report): string {
  const seconds = (id: string) => (figureOf(report, id) / 1000).toFixed(2)
  const [first, largest, blocked] = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map(seconds)
  const { benchmarkIndex } = report.environment
  const shift = figureOf(report, 'cumulative-layout-shift').toFixed(3)
  return `performance ${scoreOf(report, 'performance')}, shift ${shift}, first paint ${first} s, largest ${largest} s, blocked ${blocked} s, processor ${benchmarkIndex}`
}

test.each(screens.flatMap(([screen, ...page]) => presets.map(([preset, config]) => [screen, preset, ...page, config] as const)))(
  '%s on a %s: performance, accessibility, bytes and layout shift',
  { timeout: 300_000 },
  async (screen, preset, path, headers, config) => {
    let best: Report | undefined
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const report = await audit(path, headers, config)
      expectSteadyFigures(report)
      if (!best || scoreOf(report, 'performance') > scoreOf(best, 'performance')) best = report
      if (scoreOf(best, 'performance') >= performanceMin || !isQuiet(report)) break
    }
    if (!best) throw new Error('no report')
    console.log(`${screen}, ${preset}: ${describeReport(best)}`)
    expect(isQuiet(best) ? scoreOf(best, 'performance') : 100).toBeGreaterThanOrEqual(performanceMin)
  },
)
