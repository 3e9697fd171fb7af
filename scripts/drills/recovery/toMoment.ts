import { ok } from 'node:assert'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { asPostgres, makeCluster, runAs, startCluster } from './cluster.ts'
import { command, type Deployed, service } from './service.ts'
import { bytesAt, makeTenant, ready, receiveWebhooks, start } from './tenant.ts'

const run = promisify(execFile)

/**
 * Tests point-in-time recovery from PostgreSQL's archive, as in docs/recovery.md: a base backup, work, the moment, more work and a deletion,
 * a table dropped by mistake, and recovery of the database to the moment. Needs `pg_basebackup` among the programs.
 */
export async function toMoment(programs: string, folder: string, { printLine }: { printLine: (line: string) => void }): Promise<void> {
  const webhooks = await receiveWebhooks()
  const archive = join(folder, 'archive')
  await makeCluster(programs, join(folder, 'first'))
  await mkdir(archive)
  if (asPostgres.length > 0) await run('chown', ['postgres', archive])
  const archiving = {
    archive_mode: 'on',
    wal_level: 'replica',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
  }
  const first = await startCluster(programs, join(folder, 'first'), archiving)
  let second: Awaited<ReturnType<typeof startCluster>> | undefined
  try {
    await first.query('create role atelier login')
    await first.query('create database atelier owner atelier')
    const env: Deployed = {
      DATABASE_URL: first.urlOf('atelier').replace('//postgres@', '//atelier@'),
      STORAGE_URL: pathToFileURL(join(folder, 'moment-objects')).href,
      DATA_DIR: join(folder, 'moment-data'),
      SECRET_KEY: randomBytes(32).toString('base64'),
    }
    const original = await service(env, 'start')
    const tenant = await makeTenant(original.origin, webhooks.address)
    await mkdir(join(folder, 'second'))
    if (asPostgres.length > 0) await run('chown', ['postgres', join(folder, 'second')])
    await runAs(join(programs, 'pg_basebackup'), [
      '-D',
      join(folder, 'second', 'data'),
      '-h',
      '127.0.0.1',
      '-p',
      String(first.port),
      '-U',
      'postgres',
      '-c',
      'fast',
    ])

    const kept = await ready(original.origin, tenant, await start(original.origin, tenant, 'kept'))
    const deleted = await ready(original.origin, tenant, await start(original.origin, tenant, 'deleted after the moment'))
    const [{ moment } = { moment: '' }] = await first.query('select clock_timestamp()::text as moment')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const later = await ready(original.origin, tenant, await start(original.origin, tenant, 'after the moment'))
    await fetch(`${original.origin}/api/v1/generations/${deleted.id}/result`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tenant.key}` },
    })
    for (let tries = 0; tries < 100 && (await objectsOf(env, deleted.id)) > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 200))
    await dropTable(env)
    await original.stop()
    await first.query('select pg_switch_wal()')
    await first.stop()
    printLine(`the table is gone; back to ${moment}`)

    await writeFile(join(folder, 'second', 'data', 'recovery.signal'), '')
    second = await startCluster(programs, join(folder, 'second'), {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: String(moment),
      recovery_target_action: 'promote',
    })
    const back: Deployed = { ...env, DATABASE_URL: second.urlOf('atelier').replace('//postgres@', '//atelier@') }
    const doctor = await command(back, ['doctor', 'objects'])
    ok(doctor.code === 1 && doctor.output.includes(`the result of ${deleted.id}, is missing`), doctor.output)
    ok(!doctor.output.includes(kept.id), doctor.output)
    const serve = await service(back, 'start')
    ok((await bytesAt(serve.origin, kept.url)).equals(kept.bytes))
    const answer = await fetch(`${serve.origin}/api/v1/generations/${later.id}`, { headers: { authorization: `Bearer ${tenant.key}` } })
    ok(answer.status === 404, 'work after the moment exists')
    ok((await fetch(serve.origin + new URL(deleted.url).pathname)).status === 404, 'the link of a lost result does not return 404')
    await ready(serve.origin, tenant, await start(serve.origin, tenant, 'work goes on'))
    await serve.stop()
    const books = await command(back, ['doctor'])
    ok(books.output.includes('ok    books: balance'), books.output)
    printLine('the database is as it was at the moment; the deleted result is reported as lost, and work continues')
  } finally {
    webhooks.close()
    await second?.stop()
    await first.stop().catch(() => undefined)
  }
}

async function objectsOf({ STORAGE_URL }: Deployed, id: string): Promise<number> {
  const { stdout } = await run('find', [new URL(STORAGE_URL).pathname, '-path', `*${id}*`, '-type', 'f'])
  return stdout.split('\n').filter(Boolean).length
}

async function dropTable({ DATABASE_URL }: Deployed): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await client.query('drop table webhook_attempts cascade')
  await client.end()
}
