import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeLogger } from '../../src/cli/boot/logger.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'
import { freePort } from '../../test/support/processes/freePort.ts'

/**
 * Tests the alert rules: `promtool` checks them, then Prometheus scrapes a server and a worker, fires no alert, and fires the right alert
 * when a family is locked and when the workers are gone. The `for` times of the rules are shortened. Needs `prometheus` and `promtool` of
 * Debian.
 */
const root = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'atelier-monitoring-'))
const rules = join(root, 'deploy/monitoring')
const started: ChildProcess[] = []
/** The watchdog always fires, and the service of this drill has no backup. */
const expected: ReadonlySet<string> = new Set(['AtelierWatchdog', 'AtelierBackupMissing'])

for (const args of [
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'config', '--syntax-only', 'compose.prometheus.yml'],
]) {
  execFileSync('promtool', args, { cwd: rules, stdio: 'inherit' })
}

const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: makeLogger({ level: 'error' }) })
const database = new pg.Pool({ connectionString: postgres.url, max: 1 })
try {
  const [internal, worker, watcher] = [await freePort(), await freePort(), await freePort()]
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  }
  begin(process.execPath, ['bin/atelier.js', 'serve'], { ...env, INTERNAL_PORT: String(internal) })
  await answers(`http://127.0.0.1:${internal}/healthz`)
  const working = begin(process.execPath, ['bin/atelier.js', 'work'], { ...env, METRICS_PORT: String(worker) })
  for (const path of ['healthz', 'readyz', 'metrics']) await answers(`http://127.0.0.1:${worker}/${path}`)

  const short = (await readFile(join(rules, 'alerts.yml'), 'utf8')).replaceAll(/for: \w+/g, 'for: 1s')
  await writeFile(join(folder, 'alerts.yml'), short)
  await writeFile(join(folder, 'prometheus.yml'), scraping(internal, worker))
  const at = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'series')}`]
  begin('prometheus', [...at, `--web.listen-address=127.0.0.1:${watcher}`, '--log.level=error'], { PATH: process.env['PATH'] })
  const prometheus = `http://127.0.0.1:${watcher}`
  await answers(`${prometheus}/-/ready`)

  await until('both processes are scraped', async () => (await query(prometheus, 'sum(up)')) === 2)
  await until(
    'no alert fires',
    async () => (await query(prometheus, 'max(atelier_processes{role="worker"})')) === 1 && (await firing(prometheus)).length === 0,
  )
  await database.query(`insert into breakers (subject, locked_until) values ('family:sandbox-image', present() + interval '1 hour')`)
  await database.query(`select pg_notify('catalog', 'breakers')`)
  await until('AtelierFamilyLocked fires', async () => (await firing(prometheus)).includes('AtelierFamilyLocked'))
  working.kill('SIGKILL')
  await until('AtelierNoWorker and AtelierProcessDown fire', async () => {
    const names = await firing(prometheus)
    return names.includes('AtelierNoWorker') && names.includes('AtelierProcessDown')
  })
  begin(process.execPath, ['bin/atelier.js', 'work'], { ...env, METRICS_PORT: String(worker) })
  await database.query(`delete from breakers`)
  await database.query(`select pg_notify('catalog', 'breakers')`)
  await until('no alert fires again', async () => (await firing(prometheus)).length === 0)
  process.stdout.write('every alert fired and ended\n')
} finally {
  await database.end()
  for (const child of started.toReversed()) await stopped(child)
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

function scraping(internal: number, worker: number): string {
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [${join(folder, 'alerts.yml')}]
scrape_configs:
  - { job_name: atelier-serve, static_configs: [{ targets: ['127.0.0.1:${internal}'] }] }
  - { job_name: atelier-work, static_configs: [{ targets: ['127.0.0.1:${worker}'] }] }
`
}

function begin(program: string, args: string[], env: Record<string, string | undefined>): ChildProcess {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  started.push(child)
  return child
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([gone, pause(20_000)])
  child.kill('SIGKILL')
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const begunAt = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - begunAt > 90_000) throw new Error(`not within 90 s: ${what}`)
    await pause(250)
  }
  process.stdout.write(`${what}: after ${((performance.now() - begunAt) / 1000).toFixed(1)} s\n`)
}

function answers(url: string): Promise<void> {
  return until(url.replace(/:\d+/, ''), async () => (await fetch(url)).status === 200)
}

async function query(prometheus: string, asked: string): Promise<number | undefined> {
  const reply = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(asked)}`)
  const { data } = (await reply.json()) as { data: { result: { value: [number, string] }[] } }
  return data.result[0] && Number(data.result[0].value[1])
}

async function firing(prometheus: string): Promise<string[]> {
  const reply = await fetch(`${prometheus}/api/v1/alerts`)
  const { data } = (await reply.json()) as { data: { alerts: { labels: { alertname: string }; state: string }[] } }
  const names = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  return names.filter((name) => !expected.has(name))
}
