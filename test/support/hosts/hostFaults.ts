import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from '../chaos/faults.ts'
import type { HostsDeployment } from './hostsDeployment.ts'

const lostSeconds = 30

type HostFault = Fault<HostsDeployment>

/** A fault of the two processes of one host. */
function killed(host: 0 | 1): Pick<HostFault, 'kind' | 'seconds' | 'begin' | 'restore' | 'mayLosePaid'> {
  const both = ({ servers, workers }: HostsDeployment) => [servers[host], workers[host]]
  return {
    kind: 'hosts',
    seconds: 0,
    begin: ({ deployment }) => Promise.all(both(deployment).map((one) => one.kill())),
    restore: ({ deployment }) => Promise.all(both(deployment).map((one) => one.start())),
    mayLosePaid: 'unanswerable',
  }
}

type Change = (deployment: HostsDeployment) => unknown

/** A fault that lasts for `seconds`. */
function during(seconds: number, begin: Change, end: Change): Pick<HostFault, 'kind' | 'seconds' | 'begin' | 'end'> {
  return {
    kind: 'hosts',
    seconds,
    begin: async ({ deployment }) => await begin(deployment),
    end: async ({ deployment }) => await end(deployment),
  }
}

const lineCut = (seconds: number) =>
  during(
    seconds,
    ({ network }) => network.cutLine(),
    ({ network }) => network.mendLine(),
  )

async function isolate({ network }: HostsDeployment): Promise<void> {
  network.cutLine()
  await network.cutOpen()
}

async function reconnect({ network }: HostsDeployment): Promise<void> {
  network.mendLine()
  await network.mendOpen()
}

export const hostFaults: readonly HostFault[] = [
  { name: 'none', words: 'no fault, to compare with', kind: 'hosts', seconds: 8, begin: async () => undefined },
  { name: 'killed-a', words: '`serve` and `work` of A killed, then started again', ...killed(0) },
  { name: 'killed-b', words: '`serve` and `work` of B killed, then started again', ...killed(1) },
  {
    name: 'frozen',
    words: '`work` of B stopped for 18 s, then continued',
    ...during(
      18,
      ({ workers }) => workers[1].signal('SIGSTOP'),
      ({ workers }) => workers[1].signal('SIGCONT'),
    ),
  },
  {
    name: 'database',
    words: 'PostgreSQL stopped for 4 s',
    ...during(
      4,
      ({ database }) => database.cluster.break('immediate'),
      ({ database }) => database.cluster.start(),
    ),
  },
  {
    name: 'pooler',
    words: 'PgBouncer stopped for 2 s',
    ...during(
      2,
      ({ pooler }) => pooler.stop(),
      ({ pooler }) => pooler.start(),
    ),
  },
  {
    name: 'replica-late',
    words: 'the replica applies nothing for 8 s',
    ...during(
      8,
      ({ replica }) => replica.ask('select pg_wal_replay_pause()'),
      ({ replica }) => replica.ask('select pg_wal_replay_resume()'),
    ),
  },
  {
    name: 'replica-away',
    words: 'the replica killed, started again after 8 s',
    ...during(
      8,
      ({ replica }) => replica.break('killed'),
      ({ replica }) => replica.start(),
    ),
  },
  {
    name: 's3',
    words: 'S3 silent for 12 s',
    ...during(
      12,
      ({ storage }) => storage.cut('silent'),
      ({ storage }) => storage.mend(),
    ),
  },
  { name: 'line', words: 'the line cut for 10 s', ...lineCut(10) },
  { name: 'line-long', words: 'the line cut for 40 s', ...lineCut(40) },
  {
    name: 'isolated',
    words: 'B cut from A, callers and the vendor for 40 s',
    ...during(40, isolate, reconnect),
  },
  {
    name: 'lost',
    words: `B lost in silence, started again after ${lostSeconds} s`,
    kind: 'hosts',
    seconds: 0,
    async begin({ deployment }) {
      // First, so that no other machine sees its connections close.
      await isolate(deployment)
      await Promise.all(deployment.victims.map((one) => one.kill()))
    },
    async restore({ deployment }) {
      await pause(lostSeconds * 1000)
      await reconnect(deployment)
      await Promise.all(deployment.victims.map((one) => one.start()))
    },
    mayLosePaid: 'unanswerable',
    recoverySecondsMax: 45,
  },
]
