import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type UncheckedParts, uncheckedParts } from './uncheckedParts.ts'

type Finding = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

const screenshots = join(import.meta.dirname, '../../../.screenshots')
const schemes = ['light', 'dark'] as const

/** Less than half of `axe.source`, which every page would have to parse. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
const ofColours = axe.getRules(tags).filter((rule) => rule.tags.includes('cat.color'))
/** The second scheme only changes colours, so only the colour rules can find further faults. */
const checks = { light: tags, dark: { type: 'rule', values: ofColours.map(({ ruleId }) => ruleId) } }

/**
 * Checks the current page, including dialogs, against WCAG 2.1 A and AA in both colour schemes, with axe. Parts of the page that it has
 * already found accessible, on this page or another, are not checked again, in either scheme: looks that are equal in one are in the other.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await settled(page)
  const parts = await uncheckedParts(page)
  if (parts.none) return
  // Uses the DevTools protocol, to which the content security policy does not apply.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axeSource)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await settled(page)
    expect({ colorScheme, findings: await findings(page, colorScheme, parts) }).toEqual({ colorScheme, findings: [] })
  }
  parts.confirm()
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Elements that were replaced since the parts were collected are checked. */
async function findings(page: Page, scheme: (typeof schemes)[number], { skipped }: UncheckedParts): Promise<string[]> {
  const known = `${JSON.stringify(skipped)}.map((index) => atelierParts[index]).filter((part) => part.isConnected)`
  const run = `axe.run({ include: document, exclude: ${known} }, ${JSON.stringify({ runOnly: checks[scheme], resultTypes: ['violations'] })})`
  const { violations } = await page.evaluate<{ violations: Finding[] }>(run)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  )
}

/** Checks that nothing overflows the window horizontally; wide elements must scroll. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await settled(page)
  const [wide, room] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')
  expect(wide).toBeLessThanOrEqual(room)
}

/**
 * With SCREENSHOTS set, saves screenshots to `.screenshots/`: wide and narrow, light and dark. Otherwise does nothing.
 * `name`: screen and state, for example `keys-empty`.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env['SCREENSHOTS']) return
  await mkdir(screenshots, { recursive: true })
  const before = page.viewportSize()
  const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } }
  for (const [width, size] of Object.entries(widths)) {
    await page.setViewportSize(size)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      await page.screenshot({ path: join(screenshots, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  if (before) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Waits for fonts and finishes animations, because a fading element has another contrast. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await document.fonts.ready
    for (;;) {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      const moving = document.getAnimations().filter(
        ({ playState, effect }) => playState === 'running' && effect.getTiming().iterations !== Infinity)
      if (moving.length === 0) return
      for (const animation of moving) animation.finish()
    }
  })()`)
}
