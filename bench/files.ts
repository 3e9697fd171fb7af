import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { limits } from '../src/contract/limits.ts'
import { cpuMeter } from './support/cpu.ts'
import { type Fixture, startProcess } from './support/fixture.ts'
import { startCommand } from './support/startCommand.ts'
import { median, type Row } from './support/table.ts'
import { downloadLoad, formOf, formType, uploadLoad } from './support/transfer.ts'

const megabyte = 1_000_000
const rounds = 3

/** Measures uploads beside a bare Fastify that writes the same bytes to disk, and downloads beside @fastify/static, in turns. */
export async function benchFiles(fixture: Fixture): Promise<Row[]> {
  const service = await startCommand('serve', fixture.env)
  const folder = join(fixture.folder, 'bare')
  await mkdir(folder)
  const bare = await startProcess(new URL('./processes/bareFiles.ts', import.meta.url), { ...fixture.env, BENCH_FOLDER: folder })
  const places = { ours: service.url, bare: String(bare.firstMessage), folder, pid: service.pid }
  try {
    const heavy = await uploadRow(fixture, places, { name: 'upload, 25 MB of video', file: videoOf(limits.fileBytes), uploads: 24 })
    const picture = await uploadRow(fixture, places, { name: 'upload, 1 MB picture, decoded', file: await pictureOf1MB(), uploads: 40 })
    // Decoding dominates, so a comparison with plain writing would be meaningless.
    const decoded = { name: picture.name, ours: picture.ours, unit: picture.unit, ...(picture.cpu ? { cpu: picture.cpu } : {}) }
    return [{ ...heavy, aim: '>= 0.7' }, decoded, await memoryRow(fixture, places), ...(await deliveryRows(fixture, places))]
  } finally {
    await service.stop()
    await bare.stop()
  }
}

type Places = { ours: string; bare: string; folder: string; pid: number }
type Upload = { name: string; file: Buffer; uploads: number }

async function uploadRow(fixture: Fixture, places: Places, { name, file, uploads }: Upload): Promise<Row> {
  const sent = { headers: headersOf(fixture), body: formOf(file), clients: 4, uploads }
  const rate = (seconds: number) => (uploads * file.length) / megabyte / seconds
  const ours: number[] = []
  const theirs: number[] = []
  const meter = cpuMeter({ serverPids: [places.pid], clusterFolder: fixture.clusterFolder })
  for (let round = 0; round <= rounds; round++) {
    const upload = async () => ({ count: uploads, seconds: await uploadLoad({ ...sent, url: `${places.ours}/api/v1/files` }) })
    const own = rate((await (round > 0 ? meter.during(upload) : upload())).seconds)
    const other = rate(await uploadLoad({ ...sent, url: `${places.bare}/files` }))
    await deleteFiles(fixture, places)
    if (round === 0) continue
    ours.push(own)
    theirs.push(other)
  }
  const limit = { name: 'bare Fastify that writes and syncs the body', value: median(theirs) }
  return { name, ours: median(ours), unit: 'MB/s', cpu: meter.perUnit(), limit }
}

/** The peak memory of the process while 20 clients upload at the same time, as a form and as base64; without its inspector processes. */
async function memoryRow(fixture: Fixture, places: Places): Promise<Row> {
  const file = videoOf(limits.fileBytes)
  const base64 = Buffer.from(JSON.stringify({ base64: file.toString('base64') }))
  const sent = { url: `${places.ours}/api/v1/files`, clients: 20, uploads: 60 }
  await uploadLoad({ ...sent, headers: headersOf(fixture), body: formOf(file) })
  await uploadLoad({ ...sent, headers: { ...headersOf(fixture), 'content-type': 'application/json' }, body: base64 })
  const status = await readFile(`/proc/${places.pid}/status`, 'utf8')
  await deleteFiles(fixture, places)
  return {
    name: '20 clients upload 25 MB at once, peak memory',
    ours: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
    unit: 'MB',
    aim: '< 400',
  }
}

async function deliveryRows(fixture: Fixture, places: Places): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, sizeBytes, times, ...aim } of deliveries) {
    const content = randomBytes(sizeBytes)
    await writeFile(join(places.folder, 'delivered'), content)
    const url = await resultOf(fixture, places, content)
    const rate = (seconds: number) => (times * sizeBytes) / megabyte / seconds
    const ours: number[] = []
    const theirs: number[] = []
    const meter = cpuMeter({ serverPids: [places.pid], clusterFolder: fixture.clusterFolder })
    for (let round = 0; round <= rounds; round++) {
      const download = async () => ({ count: times, seconds: await downloadLoad({ url, clients: 8, times }) })
      const own = rate((await (round > 0 ? meter.during(download) : download())).seconds)
      const other = rate(await downloadLoad({ url: `${places.bare}/delivered`, clients: 8, times }))
      if (round === 0) continue
      ours.push(own)
      theirs.push(other)
    }
    const limit = { name: '@fastify/static', value: median(theirs) }
    rows.push({ name, ours: median(ours), unit: 'MB/s', cpu: meter.perUnit(), limit, ...aim })
  }
  return rows
}

const deliveries = [
  { name: 'delivery, 100 KB', sizeBytes: 100_000, times: 2000 },
  { name: 'delivery, 5 MB', sizeBytes: 5_000_000, times: 300, aim: '>= 0.7' },
]

/** Returns the link of a generation whose stored result is replaced by `content`. */
async function resultOf(fixture: Fixture, { ours }: Places, content: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ familyId: 'bench-image', prompt: 'a lighthouse' })
  const { generationId } = (await (await fetch(`${ours}/api/v1/generations`, { method: 'POST', headers, body })).json()) as {
    generationId: string
  }
  const key = `results/bench-${content.length}`
  const path = join(fixture.folder, 'files', key)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  const result = {
    storageKey: key,
    mimeType: 'image/png',
    sizeBytes: content.length,
    sha256: '00',
    width: 1,
    height: 1,
    durationSeconds: null,
  }
  await inDatabase(fixture, (client) =>
    client.query(`update generations set state = 'ready', finished_at = now(), credits_charged = 0, result = $2 where id = $1`, [
      generationId,
      result,
    ]),
  )
  const made = (await (await fetch(`${ours}/api/v1/generations/${generationId}`, { headers })).json()) as { result: { url: string } }
  return made.result.url
}

/** Deletes the files of a round, which would fill the disk, and their jobs, which no worker runs here. */
async function deleteFiles(fixture: Fixture, { folder }: Places): Promise<void> {
  await inDatabase(fixture, (client) => client.query('delete from files; delete from graphile_worker._private_jobs'))
  await rm(join(fixture.folder, 'files', 'files'), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
}

async function inDatabase(fixture: Fixture, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(fixture.databaseUrl)
  await client.connect()
  await work(client)
  await client.end()
}

function headersOf(fixture: Fixture): Record<string, string> {
  return { authorization: `Bearer ${fixture.key}`, 'content-type': formType }
}

/** Creates bytes that start like an MP4; the upload of large video checks only the start. */
function videoOf(sizeBytes: number): Buffer {
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42', 'latin1')
  return Buffer.concat([head, randomBytes(sizeBytes - head.length)])
}

/** Creates noise, which does not compress. */
function pictureOf1MB(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#808080', noise } })
    .jpeg({ quality: 92 })
    .toBuffer()
}
