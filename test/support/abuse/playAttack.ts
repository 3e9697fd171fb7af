import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Stage } from './attack.ts'
import type { AttackedDeployment } from './attackedDeployment.ts'
import type { Tally } from './attacker.ts'
import { type MemoryPeak, watchMemory } from './memory.ts'
import type { OtherTeam, Sample } from './otherTeam.ts'

/** The result of an attack: milliseconds of the other team's requests, and memory of the largest process. */
export type Outcome = {
  tally: Tally
  requests: number
  /** Responses to the other team by status; `none` for requests without a response. */
  refused: Record<string, number>
  medianMs: number
  p99Ms: number
  longestMs: number
  slowest: string
  started: number
  ready: number
  memory: MemoryPeak
  restarts: number
  kills: number
  /** The maximum delay of the other team's thread, caused by the machine or other work on it. */
  lateMs: number
}

const afterMs = 2_000

/** Runs one attack for the given seconds while the other team works, and counts that team's results. */
export async function playAttack(
  attack: Attack,
  { deployment, team, seconds }: { deployment: AttackedDeployment; team: OtherTeam; seconds: number },
): Promise<Outcome> {
  const { people, attackersTeamId, port, origin, names, processes, groups } = deployment
  const accounts = await people.makeCrew(attackersTeamId, { keys: 4, agentKeys: 4, sessions: 4 })
  const pids = processes.map((each) => each.pid())
  const watches = processes.map((each) => watchMemory(each.pid))
  const attacker = await startAttacker(attack.name, { accounts, port, origin, names })
  team.begin()
  await pause(seconds * 1000)
  const { samples, lateMs, started } = await team.met()
  const tally = await endAttacker(attacker)
  await pause(afterMs)
  for (const watch of watches) watch.stop()
  const kills = await Promise.all(groups.map((group) => group.kills()))
  return {
    tally,
    ...figuresOf(samples),
    started: started.length,
    ready: await people.countReady(started),
    memory: watches.map((watch) => watch.peak()).reduce((most, each) => (each.bytes > most.bytes ? each : most)),
    restarts: processes.filter((each, index) => !each.isUp() || each.pid() !== pids[index]).length,
    kills: kills.reduce((sum, each) => sum + each, 0),
    lateMs,
  }
}

async function startAttacker(name: string, stage: Stage): Promise<ChildProcess> {
  const child = fork(new URL('./attackerProgram.ts', import.meta.url), { execArgv: [], env: { PATH: process.env['PATH'] } })
  await once(child, 'spawn')
  child.send({ name, stage })
  return child
}

async function endAttacker(child: ChildProcess): Promise<Tally> {
  const ended = Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)])
  child.send('end')
  const [tally] = (await ended) ?? []
  if (tally === undefined) throw new Error('the attacker ended by itself')
  return tally as Tally
}

function figuresOf(samples: Sample[]): Pick<Outcome, 'requests' | 'refused' | 'medianMs' | 'p99Ms' | 'longestMs' | 'slowest'> {
  const sorted = samples.toSorted((one, other) => one.ms - other.ms)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]?.ms ?? Infinity
  const refused: Record<string, number> = {}
  for (const { status = 'none' } of samples) if (status !== 200 && status !== 201) refused[status] = (refused[status] ?? 0) + 1
  return {
    requests: samples.length,
    refused,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
    slowest: sorted.at(-1)?.what ?? '',
  }
}
