import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** One request of the other team. `ms` from sending it to the complete response. */
export type Sample = { what: string; ms: number; status: number | undefined }

/** Results of the other team. `lateMs`: the maximum delay of sending, caused by the machine. */
export type TrafficSample = { samples: Sample[]; lateMs: number; started: string[] }

export type OtherTeam = {
  /** Resets the results. */
  begin(): void
  /** The results since then, including pending responses. */
  met(): Promise<TrafficSample>
  stop(): Promise<void>
}

export type OtherTeamOptions = { port: number; keys: string[]; requestsPerSecond: number }

/** Runs the requests of a team in a separate thread, from a separate address, until it is stopped. */
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
