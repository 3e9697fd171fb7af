import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyDisk, fillDisk, wrongClock } from '../chaos/machine.ts'
import { firstSecretKey, type OutageDeployment } from './outageDeployment.ts'
import { closeLeaked, leakConnections, restart, setEnv, startWork, unlock } from './outageSteps.ts'

/** How to cause and repair an outage, and the check and the alert that must report it. */
export type Outage = {
  name: string
  description: string
  /** The check of `doctor` that must find it. */
  check: string
  alert: string
  /** Other checks and alerts that the outage causes too. Any further one fails the drill. */
  consequences: readonly string[]
  break(deployment: OutageDeployment): Promise<unknown>
  /** Sends traffic during the outage, for alerts that count faults. Called about once a second. */
  traffic?(deployment: OutageDeployment, round: number): Promise<unknown>
  repair(deployment: OutageDeployment): Promise<unknown>
}

/** Alerts that a restart of both processes raises with a `for` of 2 s. */
const restarts = ['AtelierProcessDown', 'AtelierNoServer', 'AtelierNoWorker', 'AtelierFiguresMissing', 'AtelierNotListening']
const newKey = Buffer.alloc(32, 9).toString('base64')

export const outages: readonly Outage[] = [
  {
    name: 'database-away',
    description: 'PostgreSQL is stopped',
    check: 'database',
    alert: 'AtelierFiguresMissing',
    // The figures of the database are kept for five seconds, which the `for` of a minute covers in production.
    consequences: ['AtelierProcessDown', 'AtelierNotListening'],
    break: ({ cluster }) => cluster.stop(),
    repair: ({ cluster }) => cluster.start(),
  },
  {
    name: 'connections-used-up',
    description: 'another tool holds every connection that PostgreSQL accepts',
    check: 'connections',
    alert: 'AtelierConnectionsScarce',
    consequences: [],
    break: leakConnections,
    repair: closeLeaked,
  },
  {
    name: 'worker-gone',
    description: 'the only worker is killed, and starts arrive',
    check: 'processes',
    alert: 'AtelierNoWorker',
    consequences: ['AtelierProcessDown', 'AtelierQueueStalled', 'queues', 'jobs'],
    break: ({ work }) => work.kill(),
    traffic: (deployment, round) => (round < 5 ? deployment.start(`waits ${round}`) : Promise.resolve()),
    repair: (deployment) => startWork(deployment),
  },
  {
    name: 'vendor-refuses',
    description: 'a vendor refuses our key',
    check: 'families',
    alert: 'AtelierFamilyLocked',
    consequences: ['AtelierProviderFailing', 'vendor openai'],
    break: async ({ vendor }) => vendor.setOpen(false),
    traffic: (deployment, round) => deployment.start(`refused ${round}`, 'vendor'),
    async repair(deployment) {
      deployment.vendor.setOpen(true)
      await unlock(deployment)
    },
  },
  {
    name: 'storage-refuses',
    description: 'the folder of STORAGE_URL is a file',
    check: 'storage',
    alert: 'AtelierStorageFailing',
    consequences: ['AtelierQueueStalled', 'objects'],
    async break({ storageFolder }) {
      await rename(storageFolder, `${storageFolder}-aside`)
      await writeFile(storageFolder, '')
    },
    traffic: (deployment, round) => deployment.start(`not stored ${round}`),
    async repair({ storageFolder }) {
      await rm(storageFolder)
      await rename(`${storageFolder}-aside`, storageFolder)
    },
  },
  {
    name: 'receiver-fails',
    description: 'the receivers of three teams are gone',
    check: 'receivers',
    alert: 'AtelierDeliveriesFailing',
    consequences: [],
    break: ({ receiver }) => receiver.leave(),
    traffic: (deployment, round) => deployment.start(`not received ${round}`),
    repair: ({ receiver }) => receiver.listenAgain(),
  },
  {
    name: 'backup-old',
    description: 'the last backup was made two days ago',
    check: 'backups',
    alert: 'AtelierBackupOld',
    consequences: [],
    break: ({ sql }) =>
      sql(`update backups set started_at = started_at - interval '2 days', finished_at = finished_at - interval '2 days'`),
    repair: ({ command, folder }) => command(['backup', '--to', join(folder, 'backups')]),
  },
  {
    name: 'secret-key-wrong',
    description: 'the processes are restarted with a new SECRET_KEY without the old one',
    check: 'secrets',
    alert: 'AtelierSecretKeyWrong',
    consequences: restarts,
    async break(deployment) {
      await setEnv(deployment, { SECRET_KEY: newKey })
      await restart(deployment, { SECRET_KEY: newKey })
    },
    async repair(deployment) {
      const both = `${newKey},${firstSecretKey}`
      await setEnv(deployment, { SECRET_KEY: both })
      await restart(deployment, { SECRET_KEY: both })
    },
  },
  {
    name: 'disk-full',
    description: 'the disk of DATA_DIR, a file system of 64 MiB, is full',
    check: 'disk',
    alert: 'AtelierDiskFilling',
    consequences: [],
    break: ({ dataFolder }) => fillDisk(dataFolder),
    repair: ({ dataFolder }) => emptyDisk(dataFolder),
  },
  {
    name: 'clock-wrong',
    description: 'the clock of the machine of serve, work and doctor is 60 s ahead',
    check: 'clock',
    alert: 'AtelierClockSkewed',
    consequences: restarts,
    async break(deployment) {
      const wrong = wrongClock(deployment.machine.fakeTime ?? '', 60)
      await setEnv(deployment, wrong)
      await restart(deployment, { ...wrong, SECRET_KEY: deployment.env['SECRET_KEY'] ?? '' })
    },
    async repair(deployment) {
      for (const name of Object.keys(wrongClock('', 60))) delete deployment.env[name]
      await restart(deployment, { SECRET_KEY: deployment.env['SECRET_KEY'] ?? '' })
    },
  },
  {
    name: 'maintenance-stopped',
    description: 'the worker takes no maintenance, and three hours pass',
    check: 'maintenance',
    alert: 'AtelierMaintenanceStalled',
    consequences: [...restarts, 'queues'],
    async break(deployment) {
      await deployment.work.stop()
      await startWork(deployment, { WORK_QUEUES: 'generations,files,deliveries', SECRET_KEY: deployment.env['SECRET_KEY'] ?? '' })
      await deployment.sql(
        `update routines set added_at = added_at - interval '3 hours', begun_at = begun_at - interval '3 hours', ended_at = ended_at - interval '3 hours'`,
      )
      await deployment.sql(`update processes set started_at = started_at - interval '3 hours'`)
    },
    async repair(deployment) {
      await deployment.work.stop()
      await startWork(deployment, { SECRET_KEY: deployment.env['SECRET_KEY'] ?? '' })
    },
  },
  {
    name: 'certificate-ends',
    description: 'the certificate of the proxy is valid for three more days',
    check: 'certificate',
    alert: 'AtelierCertificateEnding',
    consequences: [],
    break: ({ certify }) => certify(3),
    repair: ({ certify }) => certify(90),
  },
]
