import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { strictSpec } from './strictSpec.ts'

const run = promisify(execFile)
/** crun refuses machines with both versions of control groups. Neither is needed, so only version 2 is mounted. */
const script =
  'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && exec crun --cgroup-manager=disabled run --bundle "$1" "$2"'

/** A mounted image: its root, command and environment. `bytes`: the size of its files. */
export type MountedImage = {
  root: string
  entrypoint: string[]
  env: string[]
  workingDir: string
  user: string
  bytes: number
  unmount(): Promise<void>
}

export type Container = {
  /** Resolves with the first output line that matches. */
  waitForLine(line: RegExp): Promise<string>
  /** All output lines so far. */
  output(): string
  /** Sends SIGTERM to its first process; returns the exit code and the duration. */
  stop(): Promise<{ code: number | null; milliseconds: number }>
  /** Runs a command in the container and returns its output; rejects if it fails. */
  exec(...words: string[]): Promise<string>
  /** Kills the container, if it runs. */
  kill(): Promise<void>
  ended: Promise<number | null>
}

/** Mounts an image with buildah, for crun to run from. */
export async function mountImage(name: string): Promise<MountedImage> {
  const container = (await run('buildah', ['from', '--pull-never', name])).stdout.trim()
  const root = (await run('buildah', ['mount', container])).stdout.trim()
  const { stdout } = await run('buildah', ['inspect', '--type', 'image', name], { maxBuffer: 2 ** 26 })
  type Inspected = { Docker: { config: { Entrypoint: string[]; Env: string[]; WorkingDir: string; User: string } } }
  const { config } = (JSON.parse(stdout) as Inspected).Docker
  const used = await run('du', ['--summarize', '--apparent-size', '--block-size=1', root])
  return {
    root,
    entrypoint: config.Entrypoint,
    env: config.Env,
    workingDir: config.WorkingDir,
    user: config.User,
    bytes: Number.parseInt(used.stdout, 10),
    unmount: async () => void (await run('buildah', ['rm', container])),
  }
}

/** Runs a command of the image as in a strict cluster, with the folder `data` at /data and the network of this machine. */
export async function startContainer(
  image: MountedImage,
  options: { args: string[]; env: Record<string, string>; data: string },
): Promise<Container> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-container-'))
  const [uid = 0, gid = 0] = image.user.split(':').map(Number)
  const id = `atelier-test-${randomBytes(6).toString('hex')}`
  const env = [...image.env, ...Object.entries(options.env).map(([name, value]) => `${name}=${value}`)]
  const spec = await strictSpec({ ...image, uid, gid, env, args: [...image.entrypoint, ...options.args], data: options.data })
  await writeFile(join(folder, 'config.json'), JSON.stringify(spec))
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, id], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(async ([code]) => {
    await rm(folder, { recursive: true, force: true })
    return code as number | null
  })
  return {
    ended,
    ...linesOf(child),
    exec: async (...words) => (await run('crun', ['--cgroup-manager=disabled', 'exec', id, ...words])).stdout,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) await run('crun', ['kill', id, 'KILL']).catch(() => undefined)
      await ended
    },
    stop: async () => {
      const startedAt = performance.now()
      await run('crun', ['kill', id, 'TERM'])
      return { code: await ended, milliseconds: performance.now() - startedAt }
    },
  }
}

function linesOf(child: ChildProcess): Pick<Container, 'waitForLine' | 'output'> {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const reader = createInterface({ input: child.stdout ?? process.stdin })
  reader.on('line', (line) => {
    lines.push(line)
    for (const each of waiting) each()
  })
  const closed = once(reader, 'close')
  const waitForLine = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) resolve(found)
      }
      waiting.add(look)
      void closed.then(() => reject(new Error(`the container ended without ${pattern}: ${lines.join('\n')}`)))
      look()
    })
  return { waitForLine, output: () => lines.join('\n') }
}
