import { Counter, Gauge, type Registry } from 'prom-client'
import type { Watched } from './watched.ts'

/** What this process is, and how it stands, read when somebody asks. */
export function gaugeProcess(
  services: Watched,
  registry: Registry,
  { version, roles }: { version: string; roles: readonly string[] },
): void {
  const { pool, notices } = services
  const registers = [registry]
  const build = { version, roles: roles.join(' ') }
  new Gauge({ name: 'atelier_process', help: 'This process: 1.', labelNames: ['version', 'roles'], registers }).set(build, 1)
  new Gauge({
    name: 'atelier_listening',
    help: 'Whether this process hears the notices of the database now; without them waits are answered late.',
    registers,
    collect() {
      this.set(notices.isListening() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'atelier_database_connections',
    help: 'Connections of the pool of this process.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  new Gauge({
    name: 'atelier_database_connections_max',
    help: 'How many connections the pool of this process may have.',
    registers,
  }).set(pool.options.max)
  new Gauge({
    name: 'atelier_database_waiting',
    help: 'Who waits for a connection of the pool now.',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
  gaugeBreakers(services, registry)
}

/** Which families and vendors are locked because of failures in a row, as this process knows it, and how often each was. */
function gaugeBreakers({ catalog, breakers }: Watched, registry: Registry): void {
  new Gauge({
    name: 'atelier_family_locked',
    help: 'Whether failures in a row keep starts of the family out now, by itself or by all of its vendors.',
    labelNames: ['family'],
    registers: [registry],
    collect() {
      this.reset()
      for (const family of catalog.families.keys()) {
        this.set({ family }, breakers.familyLockedSeconds(family) > 0 ? 1 : 0)
      }
    },
  })
  new Counter({
    name: 'atelier_breaker_opened_total',
    help: 'How often a family, or the account with a vendor, was locked; trials that failed included. In the whole deployment.',
    labelNames: ['subject'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { subject, opened } of breakers.current().values()) this.inc({ subject }, opened)
    },
  })
}
