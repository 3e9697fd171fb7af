import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Isolation } from './detectIsolation.ts'
import type { WorkerStartOptions } from './workerMessages.ts'

/** What a worker runs, and what it needs for that beside its scratch folder. */
export type WorkerProgram = {
  /** The module whose `work` it calls; everything in its folder is code that it may read. */
  module: URL
  /** Further folders of code. */
  code?: readonly URL[]
  heapMegabytesMax: number
  /** Half of what short-lived objects may take. */
  semiSpaceMegabytesMax: number
  /** Whether it makes files of its own in its scratch folder. */
  mayWrite: boolean
  /** Whether it runs programs of WebAssembly that see files. */
  hasWasi: boolean
  /**
   * Puts what it needs to start into its scratch folder, under names that begin as `preservedPrefix` says, and returns its environment,
   * of which ours is no part.
   */
  prepareScratch?(scratch: string): Promise<Record<string, string>>
}

type Fork = {
  program: WorkerProgram
  isolation: Isolation
  scratch: string
  env: Record<string, string>
  limits: Pick<WorkerStartOptions, 'memoryBytesMax' | 'secondsMax'>
}

/**
 * Starts a child that may read its code and its scratch folder and nothing else, has no environment of ours, starts no programs, and
 * has no part in keeping this process alive.
 */
export function confinedFork({ program, isolation, scratch, env, limits }: Fork): ChildProcess {
  const [file = process.execPath, ...before] = isolation.command
  const start: WorkerStartOptions = {
    ...limits,
    module: program.module.href,
    account: isolation.switchesAccountItself && isolation.account ? isolation.account : null,
  }
  const child = fork(fileURLToPath(new URL('./child/main.ts', import.meta.url)), [JSON.stringify(start)], {
    execPath: file,
    execArgv: [...before, ...(isolation.command.length > 0 ? [process.execPath] : []), ...nodeOptions(program, scratch)],
    cwd: scratch,
    // Few threads and few arenas of memory: a worker does one thing at a time.
    env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  // A failed kill or send must not throw in the service; every such case also ends in `exit`.
  child.on('error', () => undefined)
  child.unref()
  child.channel?.unref()
  return child
}

// Addons for the decoders, threads for the watchdog and for encoders that bring their own.
function nodeOptions(program: WorkerProgram, scratch: string): string[] {
  const own = fileURLToPath(new URL('.', import.meta.url))
  const code = [own, dirname(fileURLToPath(program.module)), ...(program.code ?? []).map((folder) => fileURLToPath(folder))]
  const folders = [...code, ...packageFolders(), scratch]
  const readable = new Set([...folders.map((folder) => join(folder, '*')), ...code.flatMap(packageFilesAbove)])
  return [
    `--max-old-space-size=${program.heapMegabytesMax}`,
    `--max-semi-space-size=${program.semiSpaceMegabytesMax}`,
    '--no-warnings',
    '--permission',
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
    ...(program.mayWrite ? [`--allow-fs-write=${join(scratch, '*')}`] : []),
    ...(program.hasWasi ? ['--allow-wasi'] : []),
    '--allow-addons',
    '--allow-worker',
  ]
}

/** The folders of packages. */
function packageFolders(): string[] {
  const folders = createRequire(import.meta.url).resolve.paths('any') ?? []
  return folders.filter((folder) => folder.endsWith('node_modules') && existsSync(folder))
}

/** Where Node looks for what says how the files of `folder` are to be read. */
function packageFilesAbove(folder: string): string[] {
  const above = dirname(folder)
  return [join(folder, 'package.json'), ...(above === folder ? [] : packageFilesAbove(above))]
}
