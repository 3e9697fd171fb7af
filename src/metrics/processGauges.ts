import { Counter, Gauge, type Registry } from 'prom-client'
import type { MonitoredServices } from './monitoredServices.ts'

/** What this process is, and how it stands, read when somebody asks. */
export function registerProcessGauges(
  services: MonitoredServices,
  registry: Registry,
  { version, roles }: { version: string; roles: readonly string[] },
): void {
  const { notices } = services
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
  registerPoolGauges(services, registers)
  registerReplicaGauges(services, registers)
  registerBreakerGauges(services, registry)
}

/** Of the pool to the database, and of that to its replica where there is one. */
function registerPoolGauges({ pool: primary, history }: MonitoredServices, registers: Registry[]): void {
  const pools = Object.entries({ primary, replica: history.pool }).flatMap(([name, pool]) => (pool ? [{ name, pool }] : []))
  new Gauge({
    name: 'atelier_database_connections',
    help: 'Connections of a pool of this process.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { name, pool } of pools) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount)
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount)
      }
    },
  })
  const most = new Gauge({
    name: 'atelier_database_connections_max',
    help: 'How many connections a pool of this process may have.',
    labelNames: ['pool'],
    registers,
  })
  for (const { name, pool } of pools) most.set({ pool: name }, pool.options.max)
  new Gauge({
    name: 'atelier_database_waiting',
    help: 'Who waits for a connection of a pool now.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, pool } of pools) this.set({ pool: name }, pool.waitingCount)
    },
  })
}

/** Neither is told where there is no replica. */
function registerReplicaGauges({ history }: MonitoredServices, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read()
        if (value === undefined) this.remove({})
        else this.set(value)
      },
    })
  gauge('atelier_replica_lag_seconds', 'How far the replica is behind the primary, as this process sees it.', history.lagSeconds)
  gauge('atelier_replica_used', 'Whether lists and logs are read from the replica now.', () =>
    history.pool === undefined ? undefined : Number(history.isUsed()),
  )
}

/** Which families and vendors are locked because of failures in a row, as this process knows it, and how often each was. */
function registerBreakerGauges({ catalog, breakers }: MonitoredServices, registry: Registry): void {
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
