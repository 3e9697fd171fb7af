import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Isolation } from './detectIsolation.ts'
import type { WorkerStartOptions } from './workerMessages.ts'

/** The program of a worker and its permissions. */
export type WorkerProgram = {
  /** The module with `work`. The worker may read all files in its folder. */
  module: URL
  /** Further folders of code that the worker may read. */
  code?: readonly URL[]
  heapMegabytesMax: number
  /** The size of one V8 semi-space: half of the memory for new objects. */
  semiSpaceMegabytesMax: number
  /** Whether the worker may write files in its scratch folder. */
  mayWrite: boolean
  /** Whether the worker runs WebAssembly programs with file access (WASI). */
  hasWasi: boolean
  /**
   * Writes initial files into the scratch folder, with names that begin with `preservedPrefix`. Returns the environment of the
   * worker, which does not inherit the environment of this process.
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
 * Starts a child that can read only its code and its scratch folder, inherits no environment, cannot start programs, and does not keep
 * this process alive.
 */
export function confinedFork({ program, isolation, scratch, env, limits }: Fork): ChildProcess {
  const [executable = process.execPath, ...isolationArguments] = isolation.command
  const start: WorkerStartOptions = {
    ...limits,
    module: program.module.href,
    account: isolation.switchesAccountItself && isolation.account ? isolation.account : null,
  }
  const child = fork(fileURLToPath(new URL('./child/main.ts', import.meta.url)), [JSON.stringify(start)], {
    execPath: executable,
    execArgv: [...isolationArguments, ...(isolation.command.length > 0 ? [process.execPath] : []), ...nodeOptions(program, scratch)],
    cwd: scratch,
    // Few threads and memory arenas, because a worker runs one task at a time.
    env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  // A failed kill or send must not throw in the service; the child also emits `exit` in these cases.
  child.on('error', () => undefined)
  child.unref()
  child.channel?.unref()
  return child
}

// Decoders need addons; the watchdog and some encoders need threads.
function nodeOptions(program: WorkerProgram, scratch: string): string[] {
  const workersFolder = fileURLToPath(new URL('.', import.meta.url))
  const code = [workersFolder, dirname(fileURLToPath(program.module)), ...(program.code ?? []).map((folder) => fileURLToPath(folder))]
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

/** The `node_modules` folders, and where they are if they are symbolic links: permissions are checked on real paths. */
function packageFolders(): string[] {
  const folders = createRequire(import.meta.url).resolve.paths('any') ?? []
  const existing = folders.filter((folder) => folder.endsWith('node_modules') && existsSync(folder))
  return existing.flatMap((folder) => [folder, realpathSync(folder)])
}

/** The `package.json` files that Node reads for the modules of `folder`. */
function packageFilesAbove(folder: string): string[] {
  const above = dirname(folder)
  return [join(folder, 'package.json'), ...(above === folder ? [] : packageFilesAbove(above))]
}
