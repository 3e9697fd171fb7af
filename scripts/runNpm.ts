import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process'

/** Runs the script of the current npm, which works on every platform; on Windows, `npm` is a batch file. */
export function runNpm(args: readonly string[], options: SpawnSyncOptions): SpawnSyncReturns<string> {
  const script = process.env['npm_execpath']
  const asText = { ...options, encoding: 'utf8' } as const
  return script === undefined ? spawnSync('npm', args, asText) : spawnSync(process.execPath, [script, ...args], asText)
}
