import { readdir, readFile } from 'node:fs/promises'

/** Lists at each call the processes that this one has started since: the browser of test files before this one is none of them. Linux only. */
export async function watchChildren(): Promise<() => Promise<number[]>> {
  const before = new Set(await childProcessIds())
  return async () => (await childProcessIds()).filter((id) => !before.has(id))
}

async function childProcessIds(): Promise<number[]> {
  const threads = await readdir(`/proc/${process.pid}/task`)
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${process.pid}/task/${thread}/children`, 'utf8').catch(() => '')))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
