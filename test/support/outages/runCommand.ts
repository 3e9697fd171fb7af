import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a command of the service to its end and returns its output. Throws when it fails, unless `mayFail`. */
export async function runCommand(args: string[], env: Record<string, string>, { mayFail = false } = {}): Promise<string> {
  const child = spawn(process.execPath, ['bin/atelier.js', ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts = { output: '', errors: '' }
  child.stdout.on('data', (chunk) => (parts.output += chunk))
  child.stderr.on('data', (chunk) => (parts.errors += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && !mayFail) throw new Error(`atelier ${args.join(' ')} ended with ${code}: ${parts.errors}${parts.output}`)
  return parts.output
}
