import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs commands that the service shows, and separates what they print from the status of the last response of curl. */
export async function runInBash(line: string): Promise<{ status: string; printed: string }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line.replaceAll('curl -sS', "curl -sS -w '\\n%{http_code}'")])
  const lines = stdout.trimEnd().split('\n')
  return { status: lines.at(-1) ?? '', printed: lines.slice(0, -1).join('\n') }
}
