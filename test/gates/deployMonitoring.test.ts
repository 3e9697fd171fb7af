import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const deploy = join(import.meta.dirname, '../../deploy')
type Expression = { key: string; operator: 'In' | 'NotIn'; values: string[] }
type Deployment = {
  kind: 'Deployment'
  spec: { template: { metadata: { labels: Record<string, string> }; spec: { containers: [{ ports: { name: string }[] }] } } }
}
type Monitor = { kind: 'PodMonitor'; spec: { podMetricsEndpoints: { port: string }[]; selector: { matchExpressions: Expression[] } } }

const manifests = readdirSync(join(deploy, 'kubernetes')).flatMap((name) =>
  parseAllDocuments(readFileSync(join(deploy, 'kubernetes', name), 'utf8')).map((document) => document.toJS() as Deployment | Monitor),
)

const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
type Service = { image: string; command?: string[]; environment?: Record<string, string>; profiles?: string[]; volumes?: string[] }
const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }

test('the monitor of pods selects the pods of every Deployment, at one port of each', () => {
  const [monitor] = manifests.filter((each) => each.kind === 'PodMonitor')
  const deployments = manifests.filter((each) => each.kind === 'Deployment')
  expect(deployments).toHaveLength(6)
  const ports = new Set(monitor?.spec.podMetricsEndpoints.map(({ port }) => port))
  for (const { spec } of deployments) {
    const { labels } = spec.template.metadata
    const expressions = monitor?.spec.selector.matchExpressions ?? []
    expect(expressions.filter(({ key, operator, values }) => values.includes(labels[key] ?? '') !== (operator === 'In'))).toEqual([])
    expect(spec.template.spec.containers[0].ports.filter(({ name }) => ports.has(name))).toHaveLength(1)
  }
})

test('compose rotates the log of every service', () => {
  const kept = Object.entries(services).filter(([, { profiles = [] }]) => !profiles.includes('monitoring'))
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.filter(([, service]) => !('logging' in service)).map(([name]) => name)).toEqual([])
})

test('the monitoring profile scrapes every process, uses our rules, and has our dashboard', () => {
  type Scraped = { dns_sd_configs: [{ names: [string]; port: number }] }
  const { scrape_configs: jobs, rule_files: rules } = parse(read('monitoring/compose.prometheus.yml')) as {
    scrape_configs: Scraped[]
    rule_files: string[]
  }
  const told = Object.entries(services)
    .filter(([, { image }]) => image.includes('atelier:'))
    .flatMap(([name, { command, environment = {} }]) => {
      if (command?.[0] === 'migrate' || command?.[0] === 'backup') return []
      return [[name, Number(environment['METRICS_PORT'] ?? environment['INTERNAL_PORT'])]]
    })
  expect(jobs.map(({ dns_sd_configs: [{ names, port }] }) => [names[0], port])).toEqual(told)
  const watching = Object.values(services).filter(({ profiles = [] }) => profiles.includes('monitoring'))
  expect(watching).toHaveLength(2)
  for (const { image } of watching) expect(image).toMatch(/:v?\d+\.\d+\.\d+@sha256:/)
  const mounted = watching.flatMap(({ volumes = [] }) => volumes.filter((each) => each.startsWith('./')).map((each) => each.split(':')))
  for (const [path = ''] of mounted) expect([path, existsSync(join(deploy, path))]).toEqual([path, true])
  const within = mounted.map(([, place]) => place)
  expect(within).toEqual(expect.arrayContaining(rules.map((rule) => `/etc/prometheus/${rule}`)))
  const { providers } = parse(read('monitoring/grafana/dashboards/atelier.yml')) as { providers: [{ options: { path: string } }] }
  expect(within).toContain(`${providers[0].options.path}/dashboard.json`)
})

test('every timer has a unit that runs one of our commands', () => {
  const names = readdirSync(join(deploy, 'systemd'))
  const timers = names.filter((name) => name.endsWith('.timer')).map((name) => name.replace('.timer', ''))
  expect(timers).toEqual(['atelier-backup', 'atelier-doctor', 'atelier-verify'])
  for (const timer of timers) {
    const command = /^ExecStart=\S+ bin\/atelier\.js (.+)$/m.exec(read(`systemd/${timer}.service`))?.[1]
    expect(command).toMatch(
      { 'atelier-backup': /^backup --to /, 'atelier-verify': /^backup --verify /, 'atelier-doctor': /^doctor$/ }[timer] ?? /^$/,
    )
    // DATABASE_URL comes from there: the command must not fall back to a database of its own.
    expect(read(`systemd/${timer}.service`)).toMatch(/^EnvironmentFile=\/etc\/atelier\/atelier\.env$/m)
    expect(read(`systemd/${timer}.service`)).not.toContain('--embedded')
  }
})
