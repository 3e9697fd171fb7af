import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** One request of the other team. `ms` from when it was sent until its answer was whole. */
export type Sample = { what: string; ms: number; status: number | undefined }

/** What the other team met. `lateMs`: how late the thread itself was to send, at worst, which is the machine's doing. */
export type TrafficSample = { samples: Sample[]; lateMs: number; started: string[] }

export type OtherTeam = {
  /** Forgets what was met so far. */
  begin(): void
  /** What was met since, answers that are still due included. */
  met(): Promise<TrafficSample>
  stop(): Promise<void>
}

export type OtherTeamOptions = { port: number; keys: string[]; requestsPerSecond: number }

/** Keeps a team at work in a thread of its own, from an address of its own, until it is stopped. */
export async function startOtherTeam(workerData: OtherTeamOptions): Promise<OtherTeam> {
  const worker = new Worker(new URL('./otherTeamThread.ts', import.meta.url), { workerData })
  await once(worker, 'online')
  return {
    begin: () => worker.postMessage('begin'),
    async met() {
      const told = once(worker, 'message')
      worker.postMessage('tell')
      const [met] = (await told) as [TrafficSample]
      return met
    },
    async stop() {
      await worker.terminate()
    },
  }
}
