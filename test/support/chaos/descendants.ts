import { readFile } from 'node:fs/promises'

/** The running child processes of a process. Linux only. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  if (pid === undefined) return []
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list.split(' ').filter(Boolean).map(Number)
}

/** Includes grandchildren. */
export async function descendantsOf(pid: number | undefined): Promise<number[]> {
  const children = await childrenOf(pid)
  const below = await Promise.all(children.map(descendantsOf))
  return [...children, ...below.flat()]
}

/** Signals a process that may have exited. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited.
  }
}
