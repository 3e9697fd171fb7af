import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { type ChartValues, writeHelmChart } from '../../../../scripts/release/artefacts/writeHelmChart.ts'
import type { NamedImage } from '../../../../scripts/release/image/nameImage.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'

const root = join(import.meta.dirname, '../../../..')
const manifests = join(root, 'deploy/kubernetes')
/** Objects of the Prometheus operator, which `writeHelmChartForHelm.test.ts` renders. */
const forOperator = ['pod-monitor.yaml', 'prometheus-rule.yaml']

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-chart-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function aChart(
  image?: NamedImage,
): Promise<{ values: ChartValues; templates: Record<string, string>; chart: Record<string, unknown> }> {
  const folder = await aFolder()
  await writeHelmChart(folder, { root, version: '1.2.3', image })
  const names = readdirSync(join(folder, 'templates'))
  const templates = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'templates', name), 'utf8')] as const))
  const read = async (name: string) => parse(await readFile(join(folder, name), 'utf8'))
  return { values: await read('values.yaml'), chart: await read('Chart.yaml'), templates: Object.fromEntries(templates) }
}

/** Fills in the few actions that the templates use, as Helm does. */
function render(template: string, values: ChartValues): string {
  const valueOf = (path: string) => path.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], values)
  const settings = Object.entries(values.settings).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
  return template
    .replace(/\{\{- range [^]*?\{\{- end \}\}/, settings.join('\n'))
    .replaceAll(/\{\{ if \.Values\.([\w.]+) \}\}(.*?)\{\{ else \}\}(.*?)\{\{ end \}\}/g, (_, path, yes, no) => (valueOf(path) ? yes : no))
    .replace(/^\{\{- if \.Values\.([\w.]+) \}\}\n([^]*)\{\{- end \}\}\n$/, (_, path, body) => (valueOf(path) ? body : ''))
    .replaceAll('{{ .Values.settings | toJson | sha256sum }}', createHash('sha256').update(JSON.stringify(values.settings)).digest('hex'))
    .replaceAll(/\{\{ \.Values\.([\w.]+) \| quote \}\}/g, (_, path) => JSON.stringify(valueOf(path)))
    .replaceAll(/\{\{ \.Values\.([\w.]+) \}\}/g, (_, path) => String(valueOf(path)))
}

const checksum = /^ {6}annotations: \{ checksum\/settings: "[0-9a-f]{64}" \}\n/m
const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>)

test('with its own values, the chart is the manifests of deploy/kubernetes with the image of its version', async () => {
  const { values, templates, chart } = await aChart()
  expect(chart).toMatchObject({ apiVersion: 'v2', name: 'atelier', version: '1.2.3', appVersion: '1.2.3' })
  const { resources } = parse(readFileSync(join(manifests, 'kustomization.yaml'), 'utf8')) as { resources: string[] }
  expect(Object.keys(templates).toSorted()).toEqual([...resources, ...forOperator].toSorted())
  for (const [name, template] of Object.entries(templates)) {
    if (forOperator.includes(name)) continue
    const expected = documents(readFileSync(join(manifests, name), 'utf8').replaceAll(/image: atelier$/gm, 'image: atelier:1.2.3'))
    const rendered = render(template, values)
    expect(rendered).not.toContain('{{')
    // A Job has new pods at each run.
    expect([name, checksum.test(rendered)]).toEqual([name, rendered.includes('kind: Deployment\n')])
    const withoutHooks = documents(rendered.replace(checksum, '')).map((document) => {
      const { annotations, ...metadata } = document['metadata'] as { annotations?: Record<string, string> }
      const own = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith('helm.sh/'))
      return { ...document, metadata: { ...metadata, ...(own.length > 0 ? { annotations: Object.fromEntries(own) } : {}) } }
    })
    expect(withoutHooks).toEqual(expected)
  }
})

test('address, image by digest, settings and the target of backups are values, and parts can be left out', async () => {
  const { values, templates } = await aChart()
  const changed: ChartValues = {
    image: { ...values.image, repository: 'registry.example/atelier', digest: 'sha256:1234' },
    settings: { BASE_URL: 'https://studio.example' },
    ingress: { ...values.ingress, host: 'studio.example', enabled: false },
    backup: { enabled: true, target: 's3://elsewhere' },
    monitoring: values.monitoring,
  }
  const rendered = (name: string) => render(templates[name] ?? '', changed)
  expect(rendered('public.yaml')).toContain('image: "registry.example/atelier@sha256:1234"')
  expect(documents(rendered('settings.yaml'))[0]).toMatchObject({ data: { BASE_URL: 'https://studio.example' } })
  expect(rendered('ingress.yaml')).toBe('')
  expect(rendered('backup.yaml').match(/"s3:\/\/elsewhere"/g)).toHaveLength(2)
  expect(render(templates['ingress.yaml'] ?? '', { ...changed, ingress: { ...changed.ingress, enabled: true } })).not.toContain(
    'media.example.com',
  )
})

test('the chart of a release with an image names it by digest', async () => {
  const { values, templates } = await aChart({ repository: 'ghcr.io/example/atelier', digest: 'sha256:11' })
  expect(render(templates['public.yaml'] ?? '', values)).toContain('image: "ghcr.io/example/atelier@sha256:11"')
  expect((await aChart({ repository: undefined, digest: 'sha256:11' })).values.image).toMatchObject({
    repository: 'atelier',
    digest: 'sha256:11',
  })
})

test('a filled-in secret beside the manifests is not in the chart', async () => {
  const operator = await aFolder()
  await cp(manifests, join(operator, 'deploy/kubernetes'), { recursive: true })
  await cp(join(root, 'deploy/monitoring'), join(operator, 'deploy/monitoring'), { recursive: true })
  await cp(join(root, '.dockerignore'), join(operator, '.dockerignore'))
  await writeFile(join(operator, 'deploy/kubernetes/atelier-secrets.yaml'), 'kind: Secret\nstringData: { SECRET_KEY: filled-in }\n')
  const folder = await aFolder()
  await writeHelmChart(folder, { root: operator, version: '1.2.3' })
  expect(readdirSync(join(folder, 'templates'))).toContain('public.yaml')
  expect(readdirSync(join(folder, 'templates'))).not.toContain('atelier-secrets.yaml')
})

test('changed settings change the pods of a Deployment', async () => {
  const { values, templates } = await aChart()
  const changed = { ...values, settings: { ...values.settings, BASE_URL: 'https://studio.example' } }
  const checksumOf = (each: ChartValues) => checksum.exec(render(templates['work-files.yaml'] ?? '', each))?.[0]
  expect(checksumOf(values)).toBe(checksumOf({ ...values }))
  expect(checksumOf(changed)).not.toBe(checksumOf(values))
})

test('the migration runs before each installation and upgrade, after the settings that it reads', async () => {
  const { templates } = await aChart()
  const weightOf = (name: string) => Number(/helm.sh\/hook-weight: "(-?\d+)"/.exec(templates[name] ?? '')?.[1])
  expect(templates['migrate.yaml']).toContain('helm.sh/hook: "pre-install,pre-upgrade"')
  // A rollback restores the settings of its release, and migrates nothing.
  expect(templates['settings.yaml']).toContain('helm.sh/hook: "pre-install,pre-upgrade,pre-rollback"')
  expect(weightOf('settings.yaml')).toBeLessThan(weightOf('migrate.yaml'))
})
