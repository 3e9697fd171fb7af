import { Counter, Gauge, type Registry } from 'prom-client'
import type { MonitoredServices } from './monitoredServices.ts'

/** Registers the gauges of this process, which are read at each scrape. */
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
    help: '1 while this process receives notifications of the database; without them waiting requests are answered late.',
    registers,
    collect() {
      this.set(notices.isListening() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'atelier_clock_skew_seconds',
    help: "How far the wall clock of this process is ahead of the database's clock.",
    registers,
    collect() {
      this.set((Date.now() - services.clock.now().getTime()) / 1000)
    },
  })
  registerPoolGauges(services, registers)
  registerReplicaGauges(services, registers)
  registerBreakerGauges(services, registry)
}

/** Gauges of the connection pools: of the primary, and of the replica if there is one. */
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
    help: 'Maximum of connections of a pool of this process.',
    labelNames: ['pool'],
    registers,
  })
  for (const { name, pool } of pools) most.set({ pool: name }, pool.options.max)
  new Gauge({
    name: 'atelier_database_waiting',
    help: 'Requests that wait for a connection of a pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, pool } of pools) this.set({ pool: name }, pool.waitingCount)
    },
  })
}

/** Both gauges have no value without a replica. */
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
  gauge('atelier_replica_lag_seconds', 'Replication lag as measured by this process.', history.lagSeconds)
  gauge('atelier_replica_used', '1 while lists and logs are read from the replica, else 0.', () =>
    history.pool === undefined ? undefined : Number(history.isUsed()),
  )
}

/** Gauges of the circuit breakers of families and vendors, from the cache of this process. */
function registerBreakerGauges(services: MonitoredServices, registry: Registry): void {
  new Gauge({
    name: 'atelier_family_locked',
    help: '1 while consecutive failures lock the family, or all of its vendors, so that starts are refused.',
    labelNames: ['family'],
    registers: [registry],
    collect() {
      this.reset()
      for (const family of services.catalog.families.keys()) {
        this.set({ family }, services.breakers.familyLockedSeconds(family) > 0 ? 1 : 0)
      }
    },
  })
  new Counter({
    name: 'atelier_breaker_opened_total',
    help: 'How often a family or a vendor account was locked, including failed trials. In the whole deployment.',
    labelNames: ['subject'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { subject, opened } of services.breakers.current().values()) this.inc({ subject }, opened)
    },
  })
}
