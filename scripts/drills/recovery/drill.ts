import { deepStrictEqual, ok } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Cluster, makeCluster, startCluster } from './cluster.ts'
import { command, type Deployed, service } from './service.ts'
import { bytesAt, history, makeTenant, ready, receiveWebhooks, start } from './tenant.ts'

/**
 * Simulates a disaster: backs up a deployment under load, kills the backup and runs it again, deletes the deployment, and restores the backup
 * into a new cluster and a new storage, which must serve everything as before. Throws at the first broken promise.
 */
export async function drill(programs: string, folder: string, { printLine }: { printLine: (line: string) => void }): Promise<void> {
  const webhooks = await receiveWebhooks()
  const clusters: Cluster[] = []
  const newCluster = async (name: string) => {
    await makeCluster(programs, join(folder, name))
    const cluster = await startCluster(programs, join(folder, name))
    clusters.push(cluster)
    // As in production, the service owns its database and is not a superuser.
    await cluster.query('create role atelier login')
    await cluster.query('create database atelier owner atelier')
    return cluster.urlOf('atelier').replace('//postgres@', '//atelier@')
  }
  const secretKey = randomBytes(32).toString('base64')
  const deployment = async (name: string): Promise<Deployed> => ({
    DATABASE_URL: await newCluster(name),
    STORAGE_URL: pathToFileURL(join(folder, `${name}-objects`)).href,
    DATA_DIR: join(folder, `${name}-data`),
    SECRET_KEY: secretKey,
  })
  const target = join(folder, 'backups')
  try {
    const old = await deployment('old')
    const original = await service(old, 'start')
    const tenant = await makeTenant(original.origin, webhooks.address)
    const started = await Promise.all(Array.from({ length: 12 }, (_, n) => start(original.origin, tenant, `before ${n}`)))
    const made = await Promise.all(started.map((id) => ready(original.origin, tenant, id)))
    printLine(`${made.length} results exist`)

    const load = Promise.all(Array.from({ length: 30 }, (_, n) => start(original.origin, tenant, `meanwhile ${n}`)))
    const killed = await command(old, ['backup', '--to', target], { killAfterMs: 4000 })
    printLine(`the first backup was killed (${killed.code === null})`)
    const during = await load
    const refused = await command(old, ['backup', '--to', target])
    if (refused.code !== 0) {
      ok(refused.output.includes('another backup is running'), refused.output)
      printLine('a second backup is refused until the claim of the killed one expires')
      await waitForDead(clusters[0])
    }
    const whole = refused.code === 0 ? refused : await command(old, ['backup', '--to', target, '--keep', '2'])
    ok(whole.code === 0, whole.output)
    printLine(whole.output.trim())
    const check = await command(old, ['backup', '--check', '--to', target])
    ok(check.code === 0, check.output)
    for (const id of during) await ready(original.origin, tenant, id)
    const listed = await history(original.origin, tenant)
    await original.stop()

    const fresh = await deployment('fresh')
    const wrongKey = await command({ ...fresh, SECRET_KEY: randomBytes(32).toString('base64') }, ['restore', '--from', target])
    ok(wrongKey.code === 1 && wrongKey.output.includes('SECRET_KEY does not open'), wrongKey.output)
    const interrupted = await command(fresh, ['restore', '--from', target], { killAfterMs: 3000 })
    const restored = interrupted.code === 0 ? interrupted : await command(fresh, ['restore', '--from', target])
    ok(restored.code === 0, restored.output)
    ok(restored.output.includes('ok    books: balance'), restored.output)
    printLine(restored.output.trim())

    const [serve, work] = [await service(fresh, 'serve'), await service(fresh, 'work')]
    for (const { url, bytes } of made) ok((await bytesAt(serve.origin, url)).equals(bytes), 'an old link gives other bytes')
    for (const id of during) await ready(serve.origin, tenant, id)
    deepStrictEqual((await history(serve.origin, tenant)).toSorted(), listed.toSorted())
    const next = await ready(serve.origin, tenant, await start(serve.origin, tenant, 'after'))
    for (let tries = 0; !webhooks.received.has(next.id) && tries < 600; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100))
    ok(webhooks.received.has(next.id), 'the webhook of new work did not arrive')
    const doctor = await command(fresh, ['doctor'])
    ok(doctor.code === 0, doctor.output)
    printLine('the copy serves: old links and keys, the same history, new work and its webhook; doctor found no fault')
    await Promise.all([serve.stop(), work.stop()])
  } finally {
    webhooks.close()
    for (const cluster of clusters) await cluster.stop()
  }
}

async function waitForDead(cluster: Cluster | undefined): Promise<void> {
  if (!cluster) return
  for (let tries = 0; tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const pg = await import('pg')
    const client = new pg.default.Client(cluster.urlOf('atelier'))
    await client.connect()
    const { rowCount } = await client.query('select from backups where finished_at is null and held_until > present()')
    await client.end()
    if (rowCount === 0) return
  }
}
