import { readdir, readFile } from 'node:fs/promises'

/** The processes that this one has started, as the system lists them. Linux only. */
export async function childProcessIds(): Promise<number[]> {
  const threads = await readdir(`/proc/${process.pid}/task`)
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${process.pid}/task/${thread}/children`, 'utf8').catch(() => '')))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
