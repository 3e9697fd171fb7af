import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../../src/config/variables.ts'
import { vendorVariables } from '../../src/config/vendorVariables.ts'
import { vendors } from '../../src/providers/vendors.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

type Probe = { httpGet: { path: string; port: string } }
type Container = {
  args: [string]
  env?: { name: string; value: string }[]
  envFrom?: { secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  volumeMounts: { mountPath: string }[]
  resources: { limits: Record<string, string> }
}
type Pod = {
  securityContext: object
  terminationGracePeriodSeconds: number
  automountServiceAccountToken: boolean
  containers: [Container]
  volumes: { name: string; emptyDir: { sizeLimit: string } }[]
}
type Manifest = {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    template: { metadata: { labels: object }; spec: Pod }
    selector: { matchLabels: object }
    jobTemplate: { spec: { template: { spec: Pod } } }
  }
}

const manifests = readdirSync(join(root, 'deploy/kubernetes'))
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as Manifest))
const named = (kind: string) => manifests.filter((each) => each.kind === kind)
const running = [
  ...[...named('Deployment'), ...named('Job')].map(({ metadata, spec }) => ({ name: metadata.name, pod: spec.template.spec })),
  ...named('CronJob').map(({ metadata, spec }) => ({ name: metadata.name, pod: spec.jobTemplate.spec.template.spec })),
]

type Compose = {
  services: Record<
    string,
    {
      image: string
      command?: string[]
      environment?: Record<string, string>
      read_only?: boolean
      profiles?: string[]
      volumes?: string[]
    }
  >
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose
const ours = Object.entries(compose.services).filter(([, { image }]) => image.includes('atelier:'))

/** Variables of the AWS client, which reads them itself. */
const foreign = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
const isKnown = (name: string) => name in variables || name in vendorVariables(vendors) || foreign.includes(name)

test('deployment files set only variables that the service reads', () => {
  const inManifests = manifests.flatMap(({ data = {}, stringData = {} }) => [...Object.keys(data), ...Object.keys(stringData)])
  const inPods = running.flatMap(({ pod }) => pod.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)))
  const inCompose = ours.flatMap(([, { environment = {} }]) => Object.keys(environment))
  const inUnits = readdirSync(join(root, 'deploy/systemd')).flatMap((name) =>
    [...read(`deploy/systemd/${name}`).matchAll(/^Environment=(\w+)=/gm)].map(([, variable = '']) => variable),
  )
  const all = [...inManifests, ...inPods, ...inCompose, ...inUnits]
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter((name) => !isKnown(name))).toEqual([])
})

test('the deployment files name one release: this one or the next one', () => {
  const { images } = parse(read('deploy/kubernetes/kustomization.yaml')) as { images: [{ newTag: string }] }
  const [{ newTag }] = images
  expect(new Set(ours.map(([, { image }]) => image))).toEqual(new Set([`\${ATELIER_IMAGE:-atelier:${newTag}}`]))
  expect(read('Containerfile')).toContain(`org.opencontainers.image.version="${newTag}"`)
  expect(newTag.localeCompare(version, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

test.each(running)('$name runs as an unprivileged account, with a read-only root and without new privileges', ({ pod }) => {
  const [container] = pod.containers
  expect(pod.automountServiceAccountToken).toBe(false)
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } })
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp'])
  expect(read('Containerfile')).toMatch(/^USER 10001:10001$/m)
})

test.each(named('Deployment'))('$metadata.name has probes on its own port, and enough time to end', ({ spec }) => {
  const { containers, terminationGracePeriodSeconds } = spec.template.spec
  const [{ args, env = [], ports = [], startupProbe, livenessProbe, readinessProbe }] = containers
  const value = (name: string) => Number(env.find((each) => each.name === name)?.value)
  const isWork = args[0] === 'work'
  // docs/operations.md: /healthz is on the public listener, or on an internal one without a public one; /readyz on the internal one.
  const alive = isWork ? value('METRICS_PORT') : value('PUBLIC_PORT') || value('INTERNAL_PORT')
  const ready = isWork ? value('METRICS_PORT') : value('INTERNAL_PORT')
  const asked = (probe: Probe | undefined) => {
    const { path, port } = probe?.httpGet ?? { path: '', port: '' }
    return [path, ports.find(({ name }) => name === port)?.containerPort]
  }
  expect(asked(startupProbe)).toEqual(['/healthz', alive])
  expect(asked(livenessProbe)).toEqual(['/healthz', alive])
  expect(asked(readinessProbe)).toEqual(['/readyz', ready])
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
})

test('every queue has workers, every Deployment a budget for disruptions, and every selector its pods', () => {
  const queues = named('Deployment').flatMap(({ spec }) => {
    const { env = [] } = spec.template.spec.containers[0]
    return env.filter(({ name }) => name === 'WORK_QUEUES').flatMap(({ value }) => value.split(','))
  })
  expect(queues.toSorted()).toEqual(['deliveries', 'files', 'generations', 'maintenance'])
  expect(named('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(
    named('Deployment').map(({ metadata }) => metadata.name),
  )
  for (const { spec } of named('Deployment')) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
})

test('only proxies connect to pods that trust forwarded addresses, and pods connect to no private addresses except the database', () => {
  type Rule = { from?: object[]; to?: { ipBlock?: { cidr: string; except?: string[] } }[]; ports?: { port: number | string }[] }
  type Policy = { podSelector: object; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] }
  const policies = named('NetworkPolicy').map(({ spec }) => spec as unknown as Policy)
  const ingress = policies.flatMap(({ ingress: rules = [] }) => rules)
  expect(ingress.length).toBeGreaterThan(3)
  expect(ingress.filter(({ from = [] }) => from.length === 0)).toEqual([])
  const blocks = policies
    .flatMap(({ egress: rules = [] }) => rules)
    .flatMap(({ to = [], ports = [] }) =>
      to.flatMap(({ ipBlock }) => (ipBlock ? [{ ...ipBlock, ports: ports.map(({ port }) => port) }] : [])),
    )
  const privateRanges = ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
  expect(
    blocks.filter(({ cidr }) => cidr === '0.0.0.0/0').every(({ except }) => privateRanges.every((range) => except?.includes(range))),
  ).toBe(true)
  expect(blocks.filter(({ cidr }) => privateRanges.includes(cidr)).flatMap(({ ports }) => ports)).toEqual([5432, 6432])
})

test('a node may be drained of pods that are not ready, and a pod that fills its disk is evicted before the node is full', () => {
  const budgets = named('PodDisruptionBudget').map(
    ({ spec }) => (spec as { unhealthyPodEvictionPolicy?: string }).unhealthyPodEvictionPolicy,
  )
  expect(new Set(budgets)).toEqual(new Set(['AlwaysAllow']))
  const bytes = (size = '0') => Number.parseInt(size, 10) * (size.endsWith('Gi') ? 1024 : 1)
  for (const { pod } of running) {
    const [{ resources }] = pod.containers
    const data = pod.volumes.find(({ name }) => name === 'data')?.emptyDir.sizeLimit
    expect(bytes(resources.limits['ephemeral-storage'])).toBeGreaterThan(bytes(data))
  }
})

test('in compose each of our processes has a read-only root and one of our commands', () => {
  expect(ours.map(([name, { command }]) => [name, command?.[0]])).toEqual([
    ['migrate', 'migrate'],
    ['public', 'serve'],
    ['internal', 'serve'],
    ['work', 'work'],
    ['backup', 'backup'],
  ])
  expect(ours.filter(([, { read_only }]) => read_only !== true)).toEqual([])
})

test('no deployment file contains a secret', () => {
  const values = named('Secret').flatMap(({ stringData = {} }) => Object.values(stringData))
  expect(new Set(values)).toEqual(new Set(['']))
  const example = read('deploy/compose.env.example').matchAll(/^(\w+)=(.*)$/gm)
  expect([...example].filter(([, name, value]) => name !== 'BASE_URL' && value !== '')).toEqual([])
})

/** The secrets of each role: the catalog needs vendor keys, and only the internal listener authenticates tools and people. */
const secretsOf: Record<string, string[]> = {
  'atelier-migrate': ['database'],
  'atelier-public': ['database', 'key', 'storage', 'vendors'],
  'atelier-internal': ['database', 'key', 'storage', 'vendors', 'operators'],
  'atelier-work-generations': ['database', 'key', 'storage', 'vendors'],
  'atelier-work-maintenance': ['database', 'key', 'storage', 'vendors'],
  'atelier-work-files': ['database', 'key', 'storage'],
  'atelier-work-deliveries': ['database', 'key'],
  'atelier-backup': ['database', 'key', 'storage'],
  'atelier-backup-verify': ['database', 'key', 'storage'],
}

test('each role gets only the secrets that it reads, and the example contains all of them', () => {
  const given = running.map(({ name, pod }) => {
    const [{ envFrom = [] }] = pod.containers
    return [name, envFrom.flatMap(({ secretRef }) => (secretRef ? [secretRef.name.replace('atelier-', '')] : []))]
  })
  expect(Object.fromEntries(given)).toEqual(secretsOf)
  const listed = named('Secret').map(({ metadata }) => metadata.name.replace('atelier-', ''))
  expect(listed).toEqual(secretsOf['atelier-internal'])
  const { migrate, public: open, internal, work } = compose.services
  expect(Object.keys(migrate?.environment ?? {})).toEqual(['DATABASE_URL'])
  expect([open, internal, work].map((each) => 'SERVICE_TOKEN' in (each?.environment ?? {}))).toEqual([false, true, false])
})
