import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeCluster, startService } from '../chaos/cluster.ts'
import type { Machine } from '../chaos/machine.ts'
import { makeServiceProcess, type ServiceProcess, serviceToken } from '../chaos/serviceProcess.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { type Accounts, makeAccounts } from './accounts.ts'
import type { AttackedKind, Stage } from './attack.ts'
import { type MemoryGroup, makeMemoryGroup } from './memory.ts'

/** The attacked deployment: processes with default limits, on a separate PostgreSQL. */
export type AttackedDeployment = {
  kind: AttackedKind
  /** The public origin. */
  port: number
  origin: string
  /** The memory limit applies to each. */
  processes: ServiceProcess[]
  /** Absent if the kernel cannot limit memory here. */
  groups: MemoryGroup[]
  names: Stage['names']
  people: Accounts
  /** A team with a heavy history, which attackers join. */
  attackersTeamId: string
  /** Stops running processes and starts new ones. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Pages of 50 with the longest prompts, two of them. */
const heavyGenerations = 100
const nameServer = '127.0.0.99'

/** Starts everything and waits until the processes are ready. Closes everything when a step fails. */
export async function openAttackedDeployment(kind: AttackedKind, machine: Machine): Promise<AttackedDeployment> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const folder = await mkdtemp(join(memoryFolder(), 'atelier-abuse-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    // The account of PostgreSQL must be able to enter it.
    await chmod(folder, 0o711)
    const database = join(folder, 'database')
    await mkdir(database)
    const cluster = await makeCluster(machine.postgres, database)
    closers.push(() => cluster.break('immediate'))
    await startService(cluster)

    const groups: MemoryGroup[] = []
    const resolver = machine.mounts ? await ownResolver(folder) : []
    const make = async (role: 'serve' | 'start', name: string) => {
      const group = await makeMemoryGroup(`atelier-abuse-${process.pid}-${name}`)
      if (group) {
        groups.push(group)
        closers.push(() => group.remove())
      }
      const made = await makeServiceProcess(role, name, {
        folder,
        database: { port: cluster.port },
        storage: { target: undefined, url: `file://${join(folder, 'objects')}` },
        // Bypasses the proxied connection, because copying its bytes would cost us CPU time.
        env: { ...environment, DATABASE_URL: `postgresql://atelier@127.0.0.1:${cluster.port}/atelier` },
        program: ['bin/atelier.js'],
        wrapper: [...(group?.wrapper ?? []), ...resolver],
      })
      closers.push(() => made.close())
      return made
    }
    const { processes, start } = kind === 'whole' ? await makeWhole(make) : await makeSplit(make)
    await start()
    const { port = 0 } = processes[0] ?? {}
    const origin = `http://127.0.0.1:${port}`
    const people = makeAccounts({ origin, toolsOrigin: `http://127.0.0.1:${processes.at(-1)?.port}` })
    const attackersTeamId = await people.makeTeam('Attackers')
    await people.fillHistory(attackersTeamId, heavyGenerations)
    const names = machine.mounts ? { zone: 'tarpit.example', address: nameServer } : undefined
    const restart = async () => {
      await Promise.all(processes.map((each) => each.stop()))
      await start()
    }
    return { kind, port, origin, processes, groups, names, people, attackersTeamId, restart, close }
  } catch (error) {
    await close()
    throw error
  }
}

const environment = {
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_TOKEN: serviceToken,
  // Addresses of the attacker's servers.
  ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
}

type Make = (role: 'serve' | 'start', name: string) => Promise<ServiceProcess>
type Made = { processes: ServiceProcess[]; start(): Promise<void> }

async function makeWhole(make: Make): Promise<Made> {
  const whole = await make('start', 'whole')
  return { processes: [whole], start: () => whole.start() }
}

/** The public process first. */
async function makeSplit(make: Make): Promise<Made> {
  const inside = await make('start', 'internal')
  const outside = await make('serve', 'public')
  const BASE_URL = `http://127.0.0.1:${outside.port}`
  const INTERNAL_URL = `http://127.0.0.1:${inside.port}`
  return {
    processes: [outside, inside],
    async start() {
      await inside.start({ BASE_URL, INTERNAL_PORT: String(inside.port) })
      await outside.start({ BASE_URL, PUBLIC_PORT: String(outside.port), INTERNAL_URL })
    },
  }
}

/** A command that gives a process its own name servers, like a container, and then executes it. */
async function ownResolver(folder: string): Promise<string[]> {
  const file = join(folder, 'resolv.conf')
  await writeFile(file, `nameserver ${nameServer}\n`)
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, file]
}
