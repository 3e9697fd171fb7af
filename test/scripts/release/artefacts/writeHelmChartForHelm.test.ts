import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { packFolder } from '../../../../scripts/release/artefacts/packFolder.ts'
import { writeHelmChart } from '../../../../scripts/release/artefacts/writeHelmChart.ts'
import { type KubernetesObject, type KubernetesTools, kubernetesTools } from '../../../support/release/kubernetesTools.ts'

const root = join(import.meta.dirname, '../../../..')
const objectsOf = (text: string) => parseAllDocuments(text).flatMap((each) => (each.toJS() as KubernetesObject | null) ?? [])
const byName = (objects: KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
const digest = `sha256:${'ab'.repeat(32)}`

/** The values of an installation with an image by digest, an address of its own and the Prometheus operator. */
const typical = [
  `image.repository=registry.example/atelier,image.digest=${digest}`,
  'ingress.host=studio.example,ingress.className=nginx,ingress.tlsSecret=studio-tls,backup.target=s3://backups/atelier',
  'monitoring.enabled=true,monitoring.labels.release=prometheus',
]
const settings = {
  BASE_URL: 'https://studio.example?a=1&b=<2>',
  UPLOAD_MAX_BYTES: 21_474_836_480,
  RATIO: 0.25,
  FLAG: true,
  TEXT: 'a: "b" {{ c }}',
}
const minimal = ['ingress.enabled=false,backup.enabled=false']

// The registry has Helm for this platform only.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the chart in Helm', () => {
  let tools: KubernetesTools
  let archive: string
  let valuesFile: string
  const render = async (sets: string[] = []) => {
    const words = sets.length > 0 ? ['--values', valuesFile, ...sets.flatMap((each) => ['--set', each])] : []
    return objectsOf(await tools.helm('template', 'atelier', archive, '--namespace', 'atelier', ...words))
  }

  beforeAll(async () => {
    tools = await kubernetesTools()
    const folder = await mkdtemp(join(tmpdir(), 'atelier-chart-'))
    await writeHelmChart(join(folder, 'atelier'), { root, version: '1.2.3' })
    archive = join(folder, 'atelier-chart-1.2.3.tgz')
    valuesFile = join(folder, 'values.yaml')
    await writeFile(valuesFile, stringify({ settings }))
    packFolder(join(folder, 'atelier'), archive, 1_700_000_000)
    return () => rm(folder, { recursive: true })
  }, 300_000)

  test('Helm finds no fault in the chart', async () => {
    expect(await tools.helm('lint', '--strict', archive)).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test.each([
    ['its own values', []],
    ['typical values', typical],
    ['all optional parts off', minimal],
  ])('with %s, Kubernetes knows every object and field of it', async (_, sets) => {
    const objects = await render(sets)
    expect(objects.length).toBeGreaterThan(15)
    expect(await tools.faultsOf(objects)).toEqual([])
  })

  test('what kustomize builds has no fault either, and names the objects of the chart', async () => {
    const built = objectsOf(await tools.kubectl('kustomize', join(root, 'deploy/kubernetes')))
    expect(await tools.faultsOf(built)).toEqual([])
    expect(byName(await render())).toEqual(byName(built))
  })

  test('values reach the objects as they were given', async () => {
    const objects = await render(typical)
    const data = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
    expect(objects.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ data })
    const images = [...JSON.stringify(objects).matchAll(/"image":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(images)).toEqual(new Set([`registry.example/atelier@${digest}`]))
    expect(JSON.stringify(objects.find(({ kind }) => kind === 'CronJob'))).toContain('s3://backups/atelier')
    expect(objects.find(({ kind }) => kind === 'Ingress')).toMatchObject({
      spec: { ingressClassName: 'nginx', tls: [{ hosts: ['studio.example'], secretName: 'studio-tls' }] },
    })
  })

  test('for the Prometheus operator it has the pods to scrape and the very alerts of deploy/monitoring, and without it neither', async () => {
    const labels = { 'app.kubernetes.io/name': 'atelier', release: 'prometheus' }
    const objects = await render(typical)
    const read = (path: string) => parse(readFileSync(join(root, 'deploy', path), 'utf8')) as object
    const ofKind = (name: string) => objects.find(({ kind }) => kind === name)
    expect(ofKind('PodMonitor')).toEqual({ ...read('kubernetes/pod-monitor.yaml'), metadata: { name: 'atelier', labels } })
    expect(ofKind('PrometheusRule')).toMatchObject({ metadata: { name: 'atelier', labels }, spec: read('monitoring/alerts.yml') })
    expect((await render()).filter(({ apiVersion }) => apiVersion.startsWith('monitoring.'))).toEqual([])
  })

  test('the check finds an unknown field, a wrong type and a value out of its range', async () => {
    const object = (spec: object) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec })
    expect(await tools.faultsOf([object({ maxUnavailable: 1 })])).toEqual([])
    expect((await tools.faultsOf([object({ maxUnavailable: 1, maxUnvailable: 1 })]))[0]).toMatch(/^PodDisruptionBudget x.*maxUnvailable/)
    expect((await tools.faultsOf([object({ selector: 'x' })])).length).toBeGreaterThan(0)
    expect(await tools.faultsOf([object({ unhealthyPodEvictionPolicy: 'Perhaps' })])).toHaveLength(2)
  })
})
