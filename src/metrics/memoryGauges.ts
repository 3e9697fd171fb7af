import { Gauge, type Registry } from 'prom-client'
import { type CgroupMemory, readCgroupMemory } from './cgroupMemory.ts'

/** Registers the used memory of the cgroup and its limit. Both have no value without a limit. */
export function registerMemoryGauges(registry: Registry, read: () => Promise<CgroupMemory | undefined> = readCgroupMemory): void {
  const gauge = (name: string, help: string, pick: (memory: CgroupMemory) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const memory = await read()
        if (memory === undefined) this.remove({})
        else this.set(pick(memory))
      },
    })
  gauge('atelier_memory_used_bytes', 'Memory of the cgroup of this process and its children, without cached files.', ({ used }) => used)
  gauge(
    'atelier_memory_limit_bytes',
    'Memory limit of the cgroup. At the limit, the kernel kills a process of the cgroup.',
    ({ limit }) => limit,
  )
}
