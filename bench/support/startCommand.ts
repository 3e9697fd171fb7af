import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A running command. `url` is empty for `work`. `printed` resolves with the first group of the first line that matches. */
export type Command = { pid: number; url: string; printed(pattern: RegExp): Promise<string>; stop(): Promise<void> }

const launcher = join(import.meta.dirname, '..', '..', 'bin', 'atelier.js')

const running = new Set<ChildProcess>()
// A run that fails or is ended leaves no process behind.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))
process.once('SIGTERM', () => process.exit(1))

/** Starts the command as a user does, with the arguments and variables that the launcher gives Node. Resolves when it is ready. */
export async function startCommand(name: 'start' | 'serve' | 'work', env: NodeJS.ProcessEnv): Promise<Command> {
  const child = spawn(process.execPath, [launcher, name], { env: { ...env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const gone = once(child, 'exit').finally(() => running.delete(child))
  const lines: string[] = []
  // Read to the end; otherwise the process would write into a closed pipe.
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const printed = async (pattern: RegExp): Promise<string> => {
    for (let next = 0; ; next += 1) {
      while (next >= lines.length) {
        await Promise.race([once(output, 'line'), gone.then(() => Promise.reject(new Error(`atelier ${name} ended`)))])
      }
      const [, found] = pattern.exec(lines[next] ?? '') ?? []
      if (found !== undefined) return found
    }
  }
  const ready = await printed(/^ready (.+)/)
  return {
    pid: child.pid ?? 0,
    url: URL.canParse(ready) ? new URL(ready).origin : '',
    printed,
    stop: async () => {
      child.kill('SIGTERM')
      await gone
    },
  }
}
