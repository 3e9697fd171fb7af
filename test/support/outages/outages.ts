import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { billingFamilies } from '../billing/billingCatalog.ts'
import { emptyDisk, fillDisk, wrongClock } from '../chaos/machine.ts'
import { serviceToken } from '../chaos/serviceProcess.ts'
import type { OutageStage } from './outageStage.ts'

/** One thing that breaks, and what tells an operator. */
export type Outage = {
  name: string
  words: string
  /** The check of `doctor` that must find it. */
  check: string
  alert: string
  break(stage: OutageStage): Promise<unknown>
  /** Traffic while it is broken, for alerts that count faults. Called about once a second. */
  use?(stage: OutageStage, round: number): Promise<unknown>
  repair(stage: OutageStage): Promise<unknown>
}

const leaked: pg.Client[] = []
const newKey = Buffer.alloc(32, 9).toString('base64')
const oldKey = Buffer.alloc(32, 7).toString('base64')

/** Opens connections until PostgreSQL refuses one, as a tool that never closes its own. */
async function leakConnections({ cluster }: OutageStage): Promise<void> {
  for (;;) {
    const client = new pg.Client({ host: '127.0.0.1', port: cluster.port, user: 'atelier', database: 'atelier' })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      return
    }
    leaked.push(client)
  }
}

async function restart(stage: OutageStage, env: Record<string, string> = {}): Promise<void> {
  await Promise.all([stage.serve.stop(), stage.work.stop()])
  await stage.serve.start(env)
  await startWork(stage, env)
}

const startWork = (stage: OutageStage, env: Record<string, string> = {}) =>
  stage.work.start({ METRICS_PORT: String(stage.work.port), ...env })

async function unlock({ serve }: OutageStage): Promise<void> {
  const query = `mutation { setFamilyAvailability(input: { familyId: "${billingFamilies.synchronous}", available: true }) { id } }`
  const response = await fetch(`http://127.0.0.1:${serve.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serviceToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(text)
}

async function setEnv({ env }: OutageStage, changes: Record<string, string>): Promise<void> {
  Object.assign(env, changes)
}

export const outages: readonly Outage[] = [
  {
    name: 'database-away',
    words: 'PostgreSQL is stopped',
    check: 'database',
    alert: 'AtelierFiguresMissing',
    break: ({ cluster }) => cluster.stop(),
    repair: ({ cluster }) => cluster.start(),
  },
  {
    name: 'connections-used-up',
    words: 'another tool holds every connection that PostgreSQL accepts',
    check: 'connections',
    alert: 'AtelierConnectionsScarce',
    break: leakConnections,
    repair: () => Promise.all(leaked.splice(0).map((client) => client.end())),
  },
  {
    name: 'worker-gone',
    words: 'the only worker is killed, and starts arrive',
    check: 'processes',
    alert: 'AtelierNoWorker',
    break: ({ work }) => work.kill(),
    use: (stage, round) => (round < 5 ? stage.start(`waits ${round}`) : Promise.resolve()),
    repair: (stage) => startWork(stage),
  },
  {
    name: 'vendor-refuses',
    words: 'a vendor refuses our key',
    check: 'families',
    alert: 'AtelierFamilyLocked',
    break: async ({ vendor }) => vendor.setOpen(false),
    use: (stage, round) => stage.start(`refused ${round}`, 'vendor'),
    async repair(stage) {
      stage.vendor.setOpen(true)
      await unlock(stage)
    },
  },
  {
    name: 'storage-refuses',
    words: 'the folder of STORAGE_URL is a file',
    check: 'storage',
    alert: 'AtelierStorageFailing',
    async break({ storageFolder }) {
      await rename(storageFolder, `${storageFolder}-aside`)
      await writeFile(storageFolder, '')
    },
    use: (stage, round) => stage.start(`not stored ${round}`),
    async repair({ storageFolder }) {
      await rm(storageFolder)
      await rename(`${storageFolder}-aside`, storageFolder)
    },
  },
  {
    name: 'receiver-fails',
    words: 'the only receiver of webhooks is gone',
    check: 'receivers',
    alert: 'AtelierDeliveriesFailing',
    break: ({ receiver }) => receiver.leave(),
    use: (stage, round) => stage.start(`not received ${round}`),
    repair: ({ receiver }) => receiver.listenAgain(),
  },
  {
    name: 'backup-old',
    words: 'the last backup was made two days ago',
    check: 'backups',
    alert: 'AtelierBackupOld',
    break: ({ sql }) =>
      sql(`update backups set started_at = started_at - interval '2 days', finished_at = finished_at - interval '2 days'`),
    repair: ({ command, folder }) => command(['backup', '--to', join(folder, 'backups')]),
  },
  {
    name: 'secret-key-wrong',
    words: 'the processes are restarted with a new SECRET_KEY without the old one',
    check: 'secrets',
    alert: 'AtelierSecretKeyWrong',
    async break(stage) {
      await setEnv(stage, { SECRET_KEY: newKey })
      await restart(stage, { SECRET_KEY: newKey })
    },
    async repair(stage) {
      const both = `${newKey},${oldKey}`
      await setEnv(stage, { SECRET_KEY: both })
      await restart(stage, { SECRET_KEY: both })
    },
  },
  {
    name: 'disk-full',
    words: 'the disk of DATA_DIR, a file system of 64 MiB, is full',
    check: 'disk',
    alert: 'AtelierDiskFilling',
    break: ({ dataFolder }) => fillDisk(dataFolder),
    repair: ({ dataFolder }) => emptyDisk(dataFolder),
  },
  {
    name: 'clock-wrong',
    words: 'the clock of the machine of serve, work and doctor is 60 s ahead',
    check: 'clock',
    alert: 'AtelierClockSkewed',
    async break(stage) {
      const wrong = wrongClock(stage.machine.fakeTime ?? '', 60)
      await setEnv(stage, wrong)
      await restart(stage, { ...wrong, SECRET_KEY: stage.env['SECRET_KEY'] ?? '' })
    },
    async repair(stage) {
      for (const name of Object.keys(wrongClock('', 60))) delete stage.env[name]
      await restart(stage, { SECRET_KEY: stage.env['SECRET_KEY'] ?? '' })
    },
  },
  {
    name: 'maintenance-stopped',
    words: 'the worker takes no maintenance, and three hours pass',
    check: 'maintenance',
    alert: 'AtelierMaintenanceStalled',
    async break(stage) {
      await stage.work.stop()
      await startWork(stage, { WORK_QUEUES: 'generations,files,deliveries', SECRET_KEY: stage.env['SECRET_KEY'] ?? '' })
      await stage.sql(
        `update routines set added_at = added_at - interval '3 hours', begun_at = begun_at - interval '3 hours', ended_at = ended_at - interval '3 hours'`,
      )
      await stage.sql(`update processes set started_at = started_at - interval '3 hours'`)
    },
    async repair(stage) {
      await stage.work.stop()
      await startWork(stage, { SECRET_KEY: stage.env['SECRET_KEY'] ?? '' })
    },
  },
  {
    name: 'certificate-ends',
    words: 'the certificate of the proxy is valid for three more days',
    check: 'certificate',
    alert: 'AtelierCertificateEnding',
    break: ({ certify }) => certify(3),
    repair: ({ certify }) => certify(90),
  },
]
