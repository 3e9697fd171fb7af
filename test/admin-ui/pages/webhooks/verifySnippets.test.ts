import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type SnippetLanguage, verifySnippets } from '../../../../src/admin-ui/pages/webhooks/verifySnippets.ts'
import { redeliver } from '../../../../src/domain/webhooks/deliveries/redeliver.ts'
import { sendTestEvent } from '../../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { rotateSecret } from '../../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { freePort } from '../../../support/processes/freePort.ts'
import { testServices } from '../../../support/services.ts'
import { deliveryRun, soon } from '../../../support/webhooks/deliveryRun.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: { ...loopback, webhookFirstRetrySeconds: 600 } })
afterAll(close)
const { delivering, logOf } = deliveryRun(services)

const programs: Record<SnippetLanguage, { file: string; program: string }> = {
  'Node.js': { file: 'receiver.mjs', program: process.execPath },
  Python: { file: 'receiver.py', program: 'python3' },
}

/** Runs the snippet as its first line says. */
async function running(language: SnippetLanguage, { secret, port }: { secret: string; port: number }): Promise<{ said(): string }> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-snippet-'))
  const { file, program } = programs[language]
  await writeFile(join(folder, file), verifySnippets[language])
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) }
  const child: ChildProcess = spawn(program, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const answers = async () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', signal: AbortSignal.timeout(2000) })
  await vi.waitFor(async () => expect((await answers()).status).toBe(400), { timeout: 15_000, interval: 50 })
  return { said: () => said }
}

test.each(Object.keys(verifySnippets) as SnippetLanguage[])('the receiver in %s accepts only signed requests', async (language) => {
  const port = await freePort()
  const team = await aTeamWithKey(services)
  const { subscription, signingSecret } = await aSubscription(services, team, `http://127.0.0.1:${port}/hook`)
  const { said } = await running(language, { secret: signingSecret, port })
  await delivering()
  const context = aServiceContext(services)
  const { id } = await sendTestEvent(context, subscription.id)
  await vi.waitFor(async () => expect(await logOf(subscription.id)).toMatchObject([{ id, state: 'delivered', responseCode: 204 }]), soon)
  await vi.waitFor(() => expect(said()).toContain(`${id} generation.completed`), soon)

  // During an overlap the old secret also signs. An unknown secret does not verify.
  await rotateSecret(context, { id: subscription.id, overlapHours: 1 })
  await redeliver(context, id)
  await vi.waitFor(async () => expect(await logOf(subscription.id)).toMatchObject([{ state: 'delivered', attempts: 2 }]), soon)
  await rotateSecret(context, { id: subscription.id })
  await redeliver(context, id)
  await vi.waitFor(async () => expect(await logOf(subscription.id)).toMatchObject([{ state: 'retrying', responseCode: 400 }]), soon)
})
