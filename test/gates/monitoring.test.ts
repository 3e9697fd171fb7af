import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { advice } from '../../src/cli/doctor/advice.ts'
import { freeDisk } from '../../src/cli/doctor/machineChecks.ts'
import { testServices } from '../support/services.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')
const { services, close } = await testServices()
afterAll(close)

/** It reports a fault of Prometheus. */
const unconfirmed = ['AtelierWatchdog']

/** Every series of /metrics, with or without a value. */
const { text } = await services.metrics.render()
const series = new Set(
  [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [String(name)],
  ),
)
const namesIn = (words: string) => new Set(words.match(/\b(atelier|nodejs|process)_[a-z0-9_]+/g))
const alerts = await read('deploy/monitoring/alerts.yml')

test('the alert rules and the dashboard use only series of /metrics', async () => {
  const { panels } = JSON.parse(await read('deploy/monitoring/dashboard.json')) as { panels: { targets?: { expr: string }[] }[] }
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
  expect([...namesIn(alerts), ...namesIn(asked)].filter((name) => !series.has(name))).toEqual([])
  expect(namesIn(asked).size).toBeGreaterThan(25)
})

test('docs/monitoring.md lists exactly our metrics', async () => {
  const listed = namesIn((await read('docs/monitoring.md')).replaceAll(/```[^]*?```/g, ''))
  const ours = [...text.matchAll(/^# TYPE (atelier_\S+)/gm)].map(([, name]) => String(name))
  expect([...listed].filter((name) => name.startsWith('atelier_')).toSorted()).toEqual(ours.toSorted())
})

test('the runbook has one section per alert', async () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => String(name))
  const documented = [...(await read('docs/runbook.md')).matchAll(/^## (Atelier\w+)/gm)].map(([, name]) => String(name))
  expect(documented.toSorted()).toEqual(names.toSorted())
  const links = [...alerts.matchAll(/runbook: docs\/runbook\.md#(\w+)$/gm)].map(([, anchor]) => anchor)
  expect(links).toEqual(names.map((name) => name.toLowerCase()))
})

test('each alert names the check of doctor that confirms it, and so does its section of the runbook', async () => {
  const { groups } = parse(alerts) as { groups: [{ rules: { alert: string; annotations: { doctor: string } }[] }] }
  const [{ rules }] = groups
  const unknown = rules.filter(({ annotations: { doctor } }) => !(doctor in advice) && doctor !== 'none')
  expect(unknown.map(({ alert }) => alert)).toEqual([])
  expect(rules.filter(({ annotations }) => annotations.doctor === 'none').map(({ alert }) => alert)).toEqual(unconfirmed)
  const sections = (await read('docs/runbook.md')).split(/^## /m)
  for (const { alert, annotations } of rules.filter(({ annotations: { doctor } }) => doctor !== 'none')) {
    expect(sections.find((section) => section.startsWith(`${alert}\n`))).toContain(`Confirmed by the check \`${annotations.doctor}\``)
  }
})

test('the tests of promtool have a firing and a quiet case for each alert', async () => {
  type Case = { alertname: string; exp_alerts?: unknown[] }
  const { tests } = parse(await read('deploy/monitoring/alerts.test.yml')) as { tests: { alert_rule_test: Case[] }[] }
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const namesWhere = (fires: boolean) =>
    new Set(cases.filter((each) => Boolean(each.exp_alerts?.length) === fires).map(({ alertname }) => alertname))
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => String(name))
  expect(names.filter((name) => !namesWhere(true).has(name))).toEqual([])
  expect(names.filter((name) => !namesWhere(false).has(name))).toEqual(['AtelierWatchdog'])
})

test('the alert and the check of disks have the same limits', () => {
  const { share, bytes } = freeDisk
  const rule = alerts.split(/^ +- alert: /m).find((each) => each.startsWith('AtelierDiskFilling\n'))
  expect(rule).toContain(`< ${share}\n`)
  expect(rule).toContain(`< ${bytes / 1e9}e9\n`)
})

test('the advice for a fault names a section of the runbook that exists', async () => {
  const headings = [...(await read('docs/runbook.md')).matchAll(/^#{2,3} (.+)$/gm)]
  const anchors = headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9_ -]/g, '')
      .replaceAll(' ', '-'),
  )
  const named = Object.values(advice).map(({ runbook }) => runbook.replace('docs/runbook.md#', ''))
  expect(named.filter((anchor) => !anchors.includes(anchor))).toEqual([])
})
