import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { readCgroupMemory } from '../../src/metrics/cgroupMemory.ts'
import { registerMemoryGauges } from '../../src/metrics/memoryGauges.ts'

/** Reads the memory on a system with these files. */
async function memoryWith(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'atelier-cgroup-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return await readCgroupMemory(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

const pod = 'sys/fs/cgroup'
const unit = 'sys/fs/cgroup/system.slice/atelier-serve.service'

test('version 2: the memory of a pod counts without cached files', async () => {
  const files = { 'proc/self/cgroup': '0::/\n', [`${pod}/memory.max`]: '1073741824\n', [`${pod}/memory.current`]: '900000000\n' }
  const stat = 'anon 300000000\nfile 600000000\ninactive_file 500000000\nactive_file 100000000\n'
  expect(await memoryWith({ ...files, [`${pod}/memory.stat`]: stat })).toEqual({ used: 400_000_000, limit: 1_073_741_824 })
})

test('version 2: the fullest of the groups counts, the own one or a parent', async () => {
  const files = {
    'proc/self/cgroup': '0::/system.slice/atelier-serve.service\n',
    [`${unit}/memory.max`]: 'max\n',
    [`${unit}/memory.current`]: '100\n',
    'sys/fs/cgroup/system.slice/memory.max': '1000\n',
    'sys/fs/cgroup/system.slice/memory.current': '700\n',
  }
  expect(await memoryWith(files)).toEqual({ used: 700, limit: 1000 })
  expect(await memoryWith({ ...files, [`${unit}/memory.max`]: '120\n' })).toEqual({ used: 100, limit: 120 })
  expect(await memoryWith({ ...files, 'sys/fs/cgroup/system.slice/memory.max': 'max\n' })).toBeUndefined()
})

test('version 1: the limit is the lowest of the group and its parents; a container reads the root of its mount', async () => {
  const groups = '5:memory:/docker/abc\n3:cpuset:/\n1:cpu,cpuacct:/\n0::/\n'
  const stat = 'inactive_file 1\nhierarchical_memory_limit 2000\ntotal_inactive_file 300\n'
  const own = 'sys/fs/cgroup/memory/docker/abc'
  for (const folder of [own, 'sys/fs/cgroup/memory']) {
    const files = { 'proc/self/cgroup': groups, [`${folder}/memory.usage_in_bytes`]: '1500\n', [`${folder}/memory.stat`]: stat }
    expect(await memoryWith(files)).toEqual({ used: 1200, limit: 2000 })
    const none = stat.replace('2000', '9223372036854771712')
    expect(await memoryWith({ ...files, [`${folder}/memory.stat`]: none })).toBeUndefined()
  }
})

test('without cgroups nothing is read', async () => {
  expect(await memoryWith({})).toBeUndefined()
})

test('the metrics have values only with a limit', async () => {
  const linesOf = async (read: () => Promise<{ used: number; limit: number } | undefined>) => {
    const registry = new Registry()
    registerMemoryGauges(registry, read)
    return (await registry.metrics()).split('\n').filter((line) => line.startsWith('atelier_'))
  }
  expect(await linesOf(async () => ({ used: 5, limit: 9 }))).toEqual(['atelier_memory_used_bytes 5', 'atelier_memory_limit_bytes 9'])
  expect(await linesOf(async () => undefined)).toEqual([])
})
