import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compileCache } from '../../support/processes/compileCache.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const main = join(import.meta.dirname, '../../../src/cli/main.ts')
const commands = [
  ['doctor'],
  ['doctor', 'objects'],
  ['doctor', 'costs'],
  ['backup', '--to', 'backups'],
  ['restore', '--objects-only', '--from', 'backups'],
  ['export', '--team', 'team_01m868m6nreh4t336scs89j1kg', '--to', 'exported'],
]

const folder = await mkdtemp(join(memoryFolder(), 'atelier-named-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command in an empty folder with no settings but `env`. */
function atelier(words: string[], env: Record<string, string> = {}): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...compileCache, ...env } }
    execFile(process.execPath, [main, ...words], options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

describe('a command on the data of a deployment', { timeout: 60_000 }, () => {
  test.each(commands)('%s %s without DATABASE_URL fails with one line and creates nothing', async (...words) => {
    const { code, stdout, stderr } = await atelier(words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^atelier: DATABASE_URL is not set, but `\w+` requires it, or --embedded for the database in DATA_DIR: [^\n]+\n$/,
    )
    expect(await readdir(folder)).toEqual([])
  })

  test.each(commands)('%s %s --embedded fails with one line where there is no embedded database', async (...words) => {
    const { code, stdout, stderr } = await atelier([...words, '--embedded'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`atelier: DATA_DIR has no embedded database: ${folder}/.data/postgres/cluster does not exist\n`)
    expect(await readdir(folder)).toEqual([])
  })

  test('a DATA_DIR that is set names its embedded database, which must exist', async () => {
    const { code, stderr } = await atelier(['doctor'], { DATA_DIR: folder })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `atelier: DATA_DIR has no embedded database: ${folder}/postgres/cluster does not exist\n`,
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('a named and an embedded database together are refused', async () => {
    const env = { DATABASE_URL: 'postgres://atelier:swordfish@127.0.0.1:1/books', SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const { code, stderr } = await atelier(['doctor', '--embedded'], env)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'atelier: DATABASE_URL must be unset with --embedded\n' })
  })

  test('the first line of the doctor names host and database, without the password', async () => {
    const env = { DATABASE_URL: 'postgres://atelier:swordfish@127.0.0.1:1/books', SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const { code, stdout, stderr } = await atelier(['doctor'], env)
    expect(code).toBe(1)
    expect(stdout.split('\n')[0]).toBe('database books at 127.0.0.1:1')
    expect(stdout).toMatch(/^FAULT database: /m)
    expect(stdout + stderr).not.toContain('swordfish')
  })

  test('doctor --json prints one document with host, database and checks, also without settings', async () => {
    const env = { DATABASE_URL: 'postgres://atelier:swordfish@127.0.0.1:1/books', SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const unreachable = await atelier(['doctor', '--json'], env)
    expect({ code: unreachable.code, stderr: unreachable.stderr }).toEqual({ code: 1, stderr: '' })
    expect(unreachable.stdout).not.toContain('swordfish')
    expect(JSON.parse(unreachable.stdout)).toEqual({
      ok: false,
      host: '127.0.0.1:1',
      database: 'books',
      checks: [
        { name: 'configuration', ok: true, detail: expect.stringMatching(/^listens on /) as string },
        {
          name: 'database',
          ok: false,
          detail: expect.stringContaining('ECONNREFUSED') as string,
          since: null,
          effect: expect.stringContaining('Nothing is lost') as string,
          next: expect.stringContaining('Start PostgreSQL') as string,
          runbook: 'docs/runbook.md#atelierfiguresmissing',
        },
      ],
    })
    const unset = await atelier(['doctor', '--json'])
    expect({ code: unset.code, stderr: unset.stderr }).toEqual({ code: 1, stderr: '' })
    const detail = expect.stringMatching(/^DATABASE_URL is not set, /) as string
    expect(JSON.parse(unset.stdout)).toEqual({
      ok: false,
      host: null,
      database: null,
      checks: [
        {
          name: 'configuration',
          ok: false,
          detail,
          since: null,
          effect: 'No process starts with these settings; running ones continue.',
          next: 'Correct the named variable and run doctor again.',
          runbook: 'docs/runbook.md#atelierprocessdown',
        },
      ],
    })
  })

  test.each([[['doctor', '--emptied']], [['doctor', '--json=1']], [['doctor', 'teeth']], [['doctor', '--embedded=no']]])(
    '%j is a wrong call',
    async (words) => {
      const { code, stdout, stderr } = await atelier(words)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^atelier doctor /)
    },
  )
})
