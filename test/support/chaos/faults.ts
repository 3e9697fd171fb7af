import type { Deployment } from './deployment.ts'
import { descendantsOf, signal } from './descendants.ts'
import type { HookReceiver } from './hookReceiver.ts'
import { emptyDisk, fillDisk, type Machine, wrongClock } from './machine.ts'
import type { ServiceProcess } from './serviceProcess.ts'
import type { Cut } from './tcpProxy.ts'

export type Stage<Played = Deployment> = { deployment: Played; machine: Machine; receiver: HookReceiver }

/** A fault during running work. */
export type Fault<Played extends { kind: string } = Deployment> = {
  name: string
  /** Description in the table. */
  words: string
  kind: Played['kind']
  /** The reason why this machine cannot run it; undefined otherwise. */
  missing?(machine: Machine): string | undefined
  /** Preparation before any work runs. */
  prepare?(stage: Stage<Played>): Promise<unknown>
  /** Duration after `begin`. */
  seconds: number
  begin(stage: Stage<Played>): Promise<unknown>
  /** Ends the fault. The seconds of the promises count from then. */
  end?(stage: Stage<Played>): Promise<unknown>
  /** The operator's action afterwards, during work, or with `late` after all of it. */
  restore?(stage: Stage<Played>): Promise<unknown>
  late?: boolean
  /** True if acknowledged work may be lost, so that the client checks and starts it again. */
  mayLoseRecentWork?: boolean
  /** Billed work that may stay undelivered; none if absent. `unanswerable`: its submit was cut, or open when a process was killed. */
  mayLosePaid?: 'unanswerable' | 'any'
  /** The longest recovery in seconds; default 15. */
  recoverySecondsMax?: number
}

const hour = 3600
const noMounts = ({ mounts }: Machine) => (mounts ? undefined : 'no file systems may be mounted here')
const noCeph = ({ ceph }: Machine) => (ceph ? undefined : "Ceph's gateway is not installed: npm run test:s3 does that")
const noFakeTime = ({ fakeTime }: Machine) => (fakeTime ? undefined : "Debian's faketime is not installed")
const noStandby = ({ postgres }: Machine) => (postgres.baseBackup ? undefined : "there is no pg_basebackup: install Debian's postgresql")

const eachVictim = (work: (victim: ServiceProcess) => unknown) => (stage: Stage) => Promise.all(stage.deployment.victims.map(work))

function cutFromDatabase(how: Cut): Pick<Fault, 'begin' | 'end'> {
  return { begin: eachVictim(({ toDatabase }) => toDatabase.cut(how)), end: eachVictim(({ toDatabase }) => toDatabase.mend()) }
}

function cutFromStorage(how: Cut): Pick<Fault, 'begin' | 'end' | 'missing'> {
  return {
    missing: noCeph,
    begin: eachVictim(({ toStorage }) => toStorage?.cut(how)),
    end: eachVictim(({ toStorage }) => toStorage?.mend()),
  }
}

function clockOffBy(seconds: number): Pick<Fault, 'missing' | 'seconds' | 'prepare' | 'begin' | 'restore' | 'late'> {
  return {
    missing: (machine) => noFakeTime(machine) ?? noCeph(machine),
    seconds: 0,
    prepare: ({ deployment, machine }) => restart(deployment.victims, wrongClock(machine.fakeTime ?? '', seconds)),
    begin: async () => undefined,
    restore: ({ deployment }) => restart(deployment.victims),
    late: true,
  }
}

async function restart(victims: ServiceProcess[], env: Record<string, string> = {}): Promise<void> {
  await Promise.all(
    victims.map(async (victim) => {
      await victim.stop()
      await victim.start(env)
    }),
  )
}

/** What is at hand is used up as well: the next segment of the log of changes finds no room. */
async function fillDatabaseDisk({ deployment }: Stage): Promise<void> {
  const { folder, cluster } = deployment.database
  await fillDisk(folder)
  await cluster.ask('select pg_switch_wal()').catch(() => undefined)
}

/** Frees the disk and restarts the server if it has stopped, like an operator. */
async function freeDatabaseDisk({ deployment }: Stage): Promise<void> {
  const { folder, cluster } = deployment.database
  await emptyDisk(folder)
  if (!cluster.isRunning()) await cluster.start()
}

async function modelsOf({ deployment }: Stage): Promise<number[]> {
  const victims = deployment.workers.slice(0, 2)
  return (await Promise.all(victims.map((victim) => descendantsOf(victim.pid())))).flat()
}

/** Disconnects the standby for the last seconds before the primary fails with its machine. */
function failOver(behindSeconds: number): Pick<Fault, 'missing' | 'seconds' | 'begin' | 'end'> {
  return {
    missing: noStandby,
    seconds: behindSeconds,
    begin: async ({ deployment }) => deployment.standby?.line.cut('silent'),
    async end({ deployment: { database, standby } }) {
      if (standby === undefined) throw new Error('there is no standby')
      await database.cluster.break('killed')
      await standby.cluster.ask('select pg_promote()')
      database.target.port = standby.cluster.port
    },
  }
}

export const faults: readonly Fault[] = [
  {
    name: 'frozen',
    words: 'two processes stopped for 18 s, then continued',
    kind: 'disk',
    seconds: 18,
    begin: eachVictim((victim) => victim.signal('SIGSTOP')),
    end: eachVictim((victim) => victim.signal('SIGCONT')),
  },
  {
    name: 'killed',
    words: 'two processes killed, then started again',
    kind: 'disk',
    seconds: 0,
    begin: eachVictim((victim) => victim.kill()),
    restore: eachVictim((victim) => victim.start()),
    mayLosePaid: 'unanswerable',
  },
  {
    name: 'database-silent',
    words: 'two cut from the database for 12 s, in silence',
    kind: 'disk',
    seconds: 12,
    ...cutFromDatabase('silent'),
  },
  {
    name: 'database-reset',
    words: 'two cut from the database for 8 s, with resets',
    kind: 'disk',
    seconds: 8,
    ...cutFromDatabase('reset'),
  },
  {
    name: 'disk-temporary',
    words: 'two with no room for temporary files for 8 s',
    kind: 'disk',
    missing: noMounts,
    seconds: 8,
    begin: eachVictim(({ dataFolder }) => fillDisk(dataFolder)),
    end: eachVictim(({ dataFolder }) => emptyDisk(dataFolder)),
  },
  {
    name: 'disk-storage',
    words: 'no room for objects for 8 s',
    kind: 'disk',
    missing: noMounts,
    seconds: 8,
    begin: ({ deployment }) => fillDisk(deployment.storageFolder ?? ''),
    end: ({ deployment }) => emptyDisk(deployment.storageFolder ?? ''),
  },
  {
    name: 'disk-database',
    words: 'no room for the database for 8 s',
    kind: 'disk',
    missing: noMounts,
    seconds: 8,
    begin: fillDatabaseDisk,
    end: freeDatabaseDisk,
  },
  {
    name: 'models',
    words: 'the models of two workers hang for 10 s',
    kind: 'disk',
    seconds: 10,
    begin: async (stage) => (await modelsOf(stage)).forEach((pid) => signal(pid, 'SIGSTOP')),
    end: async (stage) => (await modelsOf(stage)).forEach((pid) => signal(pid, 'SIGCONT')),
  },
  {
    name: 'receiver',
    words: 'the receiver of webhooks away for 6 s',
    kind: 'disk',
    seconds: 6,
    begin: ({ receiver }) => receiver.leave(),
    end: ({ receiver }) => receiver.listenAgain(),
  },
  {
    name: 'restart',
    words: 'PostgreSQL ended at once, started again after 3 s',
    kind: 'disk',
    seconds: 3,
    begin: ({ deployment }) => deployment.database.cluster.break('immediate'),
    end: ({ deployment }) => deployment.database.cluster.start(),
  },
  { name: 's3-silent', words: 'two cut from S3 for 12 s, in silence', kind: 's3', seconds: 12, ...cutFromStorage('silent') },
  { name: 's3-reset', words: 'two cut from S3 for 8 s, with resets', kind: 's3', seconds: 8, ...cutFromStorage('reset') },
  { name: 'clock-ahead', words: 'two with clocks an hour ahead', kind: 's3', ...clockOffBy(hour) },
  { name: 'clock-behind', words: 'two with clocks an hour behind', kind: 's3', ...clockOffBy(-hour) },
  {
    name: 'failover',
    words: 'failed over to a standby that lacks the last second',
    kind: 'standby',
    mayLoseRecentWork: true,
    mayLosePaid: 'any',
    ...failOver(1),
  },
  {
    name: 'failover-synchronous',
    words: 'failed over to a synchronous standby, cut off for 3 s',
    kind: 'synchronous',
    mayLoseRecentWork: true,
    ...failOver(3),
  },
]
