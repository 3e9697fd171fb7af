import { readdir, readFile } from 'node:fs/promises'

/** Lists the child processes started since the first call, without the browser of earlier test files. Linux only. */
export async function watchChildren(): Promise<() => Promise<number[]>> {
  const before = new Set(await childProcessIds())
  return async () => (await childProcessIds()).filter((id) => !before.has(id))
}

async function childProcessIds(): Promise<number[]> {
  const threads = await readdir(`/proc/${process.pid}/task`)
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${process.pid}/task/${thread}/children`, 'utf8').catch(() => '')))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
