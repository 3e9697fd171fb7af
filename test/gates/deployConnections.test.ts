import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { connectionsMaxOf, type ProcessRole } from '../../src/domain/connectionBudget.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** PostgreSQL keeps three of `max_connections` for superusers; by default it has 100. */
const acceptedOf = (maxConnections: number) => maxConnections - 3
const usual = acceptedOf(100)
const database = read('docs/database.md')
/** What the docs ask for with the autoscaler. */
const stated = acceptedOf(Number(/set\s+`max_connections = (\d+)`/.exec(database)?.[1]))

type Manifest = {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: {
    replicas?: number
    minReplicas?: number
    maxReplicas?: number
    scaleTargetRef?: { name: string }
    strategy?: { rollingUpdate: { maxSurge: number } }
    template?: { spec: { containers: [{ args: ['serve' | 'work'] }] } }
  }
}
const roleOf = { serve: ['http'], work: ['worker'], start: ['http', 'worker'] } as const satisfies Record<string, readonly ProcessRole[]>

const manifests = readdirSync(join(root, 'deploy/kubernetes'))
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as Manifest))
const poolMax = Number(manifests.find(({ data }) => data?.['DATABASE_POOL_MAX'])?.data?.['DATABASE_POOL_MAX'])

/** The connections of all pods, with the fewest or the most replicas, and with the pods that a roll-out adds. */
function connectionsIn(replicas: 'minReplicas' | 'maxReplicas', isRollout: boolean): number {
  const sums = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => {
      const scaler = manifests.find((each) => each.kind === 'HorizontalPodAutoscaler' && each.spec?.scaleTargetRef?.name === metadata.name)
      const pods = (scaler?.spec?.[replicas] ?? spec?.replicas ?? 1) + (isRollout ? (spec?.strategy?.rollingUpdate.maxSurge ?? 0) : 0)
      return pods * connectionsMaxOf(roleOf[spec?.template?.spec.containers[0].args[0] ?? 'serve'], poolMax)
    })
  return sums.reduce((sum, each) => sum + each, 0)
}

test('the pods of deploy/kubernetes fit into a usual PostgreSQL, and with autoscaler and roll-out into the one that the docs ask for', () => {
  expect(poolMax).toBeGreaterThanOrEqual(4)
  expect(connectionsIn('minReplicas', false)).toBeLessThanOrEqual(usual)
  expect(connectionsIn('maxReplicas', true)).toBeLessThanOrEqual(stated)
})

test('the docs give the connections of deploy/kubernetes', () => {
  const sentence = /(\d+) connections at the minimum,\s+(\d+) at the maximum of the autoscaler,\s+(\d+)\s+during a roll-out/.exec(database)
  const sums = [connectionsIn('minReplicas', false), connectionsIn('maxReplicas', false), connectionsIn('maxReplicas', true)]
  expect(sentence?.slice(1).map(Number)).toEqual(sums)
})

test('the processes of compose and of the units fit into their PostgreSQL', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: string[]; environment?: Record<string, string> }>
  }
  const commands = Object.values(services).map(({ command = [] }) => command[0])
  const inCompose = commands
    .filter((command) => command === 'serve' || command === 'work')
    .map((command) => connectionsMaxOf(roleOf[command], undefined))
  const server = services['postgres']?.command?.join(' ')
  expect(inCompose).toHaveLength(3)
  expect(inCompose.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
    acceptedOf(Number(/max_connections=(\d+)/.exec(server ?? '')?.[1])),
  )

  const [, units = ''] = /^systemctl enable --now (atelier-serve.*)$/m.exec(read('docs/deployment.md')) ?? []
  const inUnits = [...units.matchAll(/atelier-(serve|work)@/g)].map(([, role]) =>
    connectionsMaxOf(roleOf[role as 'serve' | 'work'], undefined),
  )
  expect(inUnits.length).toBeGreaterThanOrEqual(2)
  // Restarts are one after another, so no unit runs twice.
  expect(inUnits.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(usual)
})
