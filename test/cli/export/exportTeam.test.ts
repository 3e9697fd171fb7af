import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { exportTeam } from '../../../src/cli/export/exportTeam.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { sendTestAlert } from '../../../src/domain/webhooks/alerts/sendTestAlert.ts'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { anAlertSubscription } from '../../support/alerts/alerts.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { onePixel } from '../../support/http/everyEndpoint.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const context = contextFor(services, { kind: 'system' })

/** Creates a team with one of everything; returns the parts. */
async function aFullTeam(content: string) {
  const team = await aTeamWithKey(services)
  const hook = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  await sendTestEvent(team.context, hook.subscription.id)
  const alerts = await anAlertSubscription(services, team, 'http://127.0.0.1:9/alerts')
  await sendTestAlert(team.context, { subscriptionId: alerts.subscription.id })
  const request = { familyId: 'sandbox-image', prompt: content, webhook: { url: 'http://127.0.0.1:9/callback' } }
  const { generation } = await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
  const generationId = String(generation['generationId'])
  await moves.begin(generationId)
  await moves.gather(generationId)
  await moves.finish(generationId, Buffer.from(content))
  const uploaded = await app.ask('POST /files', { key: team.value, body: { base64: onePixel } })
  return { ...team, hook, generationId, fileId: String(uploaded.body['fileId']) }
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function linesOf(folder: string, kind: string) {
  const text = await readFile(join(folder, `${kind}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const allText = async (folder: string) => {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return (await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))).join('\n')
}

const ours = await aFullTeam('content of ours')
const theirs = await aFullTeam('content of theirs')

test('an export has one of everything, complete with its manifest, and no data of another team, no key and no secret', async () => {
  const folder = await aFolder()
  const { files, media } = await exportTeam(context, { teamId: ours.team.id, folder })

  const counts = Object.fromEntries(files.map(({ name, lines }) => [name.replace('.jsonl', ''), lines]))
  expect(counts).toMatchObject({ generations: 1, files: 1, ledger: 3, usage: 1, keys: 1, webhooks: 1, alerts: 1, members: 1, media: 2 })
  const kinds = (await linesOf(folder, 'deliveries')).map(({ kind }) => String(kind))
  expect(kinds.toSorted()).toEqual(['alert', 'callback', 'webhook', 'webhook'])
  expect(media).toMatchObject({ count: 2, lostCount: 0 })
  for (const { name, sizeBytes, sha256 } of files) {
    const bytes = await readFile(join(folder, name))
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([sizeBytes, sha256])
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
  const path = `media/${ours.generationId}.png`
  expect(await linesOf(folder, 'generations')).toMatchObject([
    { generationId: ours.generationId, result: { url: path, urlExpiresAt: null } },
  ])
  expect(await readFile(join(folder, path), 'utf8')).toBe('content of ours')
  expect((await readFile(join(folder, `media/${ours.fileId}.png`))).toString('base64')).toBe(onePixel)
  expect(await linesOf(folder, 'members')).toMatchObject([{ userId: ours.user.id, name: ours.user.name, email: ours.user.email }])
  expect(await linesOf(folder, 'audit')).toContainEqual(expect.objectContaining({ action: 'team.exported' }))
  expect((await linesOf(folder, 'ledger')).map(({ kind, credits }) => [kind, typeof credits])).toContainEqual(['grant', 'number'])
  expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({ complete: true, teamId: ours.team.id })
  expect((await stat(folder)).mode & 0o777).toBe(0o700)

  const text = await allText(folder)
  const foreign = [theirs.team.id, theirs.user.email, theirs.key.id, theirs.generationId, theirs.fileId, theirs.hook.subscription.id]
  const secret = [ours.value, ours.hook.signingSecret, ours.key.hash.toString('hex'), ours.key.hash.toString('base64'), '/r/']
  for (const each of [...foreign, 'content of theirs', ...secret]) expect(text).not.toContain(each)
})

test('a repeated export fetches only missing and damaged media', async () => {
  const folder = await aFolder()
  await exportTeam(context, { teamId: ours.team.id, folder })
  const opened: string[] = []
  const storage = { ...services.storage, open: (key: string) => (opened.push(key), services.storage.open(key)) }
  await exportTeam({ ...context, storage }, { teamId: ours.team.id, folder })
  expect(opened).toEqual([])
  await writeFile(join(folder, 'media', `${ours.generationId}.png`), 'content of 0urs')
  await exportTeam({ ...context, storage }, { teamId: ours.team.id, folder })
  expect(opened).toEqual([expect.stringContaining(ours.generationId)])
  expect(await readFile(join(folder, 'media', `${ours.generationId}.png`), 'utf8')).toBe('content of ours')
})

test('a lost object is reported, and the rest is exported', async () => {
  const team = await aTeamWithKey(services)
  const lost = await anEnding(team, 'ready')
  const folder = await aFolder()
  const { media } = await exportTeam(context, { teamId: team.team.id, folder })
  expect(media).toMatchObject({ count: 0, lostCount: 1, lost: [{ id: lost, lost: 'the storage does not have it' }] })
  expect(await linesOf(folder, 'generations')).toHaveLength(1)
})

test('a folder with other content, or of another team, is refused and not changed', async () => {
  const folder = await aFolder()
  await mkdir(join(folder, 'photos'))
  await expect(exportTeam(context, { teamId: ours.team.id, folder })).rejects.toThrow('contains something other')
  expect(await readdir(folder)).toEqual(['photos'])
  const other = await aFolder()
  await exportTeam(context, { teamId: theirs.team.id, folder: other })
  await expect(exportTeam(context, { teamId: ours.team.id, folder: other })).rejects.toThrow('contains something other')
})
