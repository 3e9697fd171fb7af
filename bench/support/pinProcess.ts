import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Runs a process, its threads and its present children on one processor only; later children inherit it. Throws without `taskset`. */
export function pinProcess(pid: number, processor: number): void {
  const { status, error, stderr } = spawnSync('taskset', ['-a', '-p', '-c', String(processor), String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`taskset failed: ${error?.message ?? stderr}`, { cause: error })
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)) {
    pinProcess(Number(child), processor)
  }
}
