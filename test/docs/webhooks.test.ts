import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { PublicGeneration } from '../../src/contract/shapes/generation.ts'
import { transaction } from '../../src/domain/context.ts'
import { addDeliveries } from '../../src/domain/webhooks/deliveries/addDeliveries.ts'
import { deliveryBodies } from '../../src/domain/webhooks/deliveries/findDelivery.ts'
import { listDeliveries } from '../../src/domain/webhooks/deliveries/listDeliveries.ts'
import { createSubscription } from '../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { rotateSecret } from '../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { signWebhook } from '../../src/secrets/signWebhook.ts'
import { testClock } from '../support/clock.ts'
import { aServiceContext, aTeam } from '../support/factories.ts'
import { freePort } from '../support/processes/freePort.ts'
import { relayStderr } from '../support/processes/relayStderr.ts'
import { testServices } from '../support/services.ts'
import { aDeliverer, loopback } from '../support/webhooks/webhooks.ts'

const document = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const languages = [
  { name: 'TypeScript', fence: 'ts', file: 'receiver.ts', tool: process.execPath, deliveries: 1000 },
  { name: 'Python', fence: 'python', file: 'receiver.py', tool: 'python3', deliveries: 100 },
  { name: 'Go', fence: 'go', file: 'receiver.go', tool: 'go', deliveries: 100 },
]
const isAtHand = (tool: string) => spawnSync(tool, [tool === 'go' ? 'version' : '--version']).status === 0
for (const { name, tool } of languages) if (!isAtHand(tool)) console.warn(`The receiver in ${name} is not run: there is no ${tool}.`)
/** A compiler that runs for the first time compiles its library as well. */
const timeout = 120_000

// Receivers compare with the real time.
const { services, close } = await testServices({ clock: testClock(new Date()), settings: loopback })
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-examples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await close()
})

/** The only example of that language in the document, running; `printed` is what it has printed, line by line. */
async function runExample({ fence, file, tool }: (typeof languages)[number], { secret, port }: { secret: string; port: number }) {
  const [example, ...others] = [...document.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')
  expect(others).toEqual([])
  const path = join(folder, file)
  await writeFile(path, example ?? '')
  const [command, ...rest] = tool === 'go' ? [compiled(tool, path)] : [tool, path]
  const environment = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = relayStderr(spawn(command ?? '', rest, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] }))
  onTestFinished(() => end(child))
  const printed: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line))
  await vi.waitFor(() => canConnect(port), { timeout: 20_000, interval: 50 })
  return printed
}

function compiled(compiler: string, path: string): string {
  const made = spawnSync(compiler, ['build', '-o', `${path}.out`, path], { encoding: 'utf8' })
  expect(made.stderr).toBe('')
  return `${path}.out`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

/** Begins a body and hangs up in the middle of it. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf of', resolve))
  socket.resetAndDestroy()
}

/** Sends a body without an end until the receiver hangs up. Returns the bytes that it let us send. */
async function sentUntilCutOff(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined).resume()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000000\r\n\r\n')
  const megabyte = Buffer.alloc(2 ** 20)
  let sent = 0
  while (!socket.destroyed && sent < 64 * 2 ** 20) {
    if (!socket.write(megabyte)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
    sent += megabyte.length
  }
  socket.destroy()
  return sent
}

for (const language of languages) {
  test.skipIf(!isAtHand(language.tool))(
    `a receiver copied from the document verifies every delivery (${language.name})`,
    { timeout },
    async () => {
      const port = await freePort()
      const address = `http://127.0.0.1:${port}/atelier`
      const context = aServiceContext(services)
      const { team } = await aTeam(services)
      const { subscription, signingSecret } = await createSubscription(context, { teamId: team.id, address, events: ['generation.failed'] })
      const printed = await runExample(language, { secret: signingSecret, port })
      const { deliveries } = language
      await transaction(context, async (inside) => {
        const numbered = Array.from({ length: deliveries }, (_, index) => ({ subscriptionId: subscription.id, eventNumber: index + 1 }))
        const generation = { generationId: 'gen_1', prompt: 'ü, "quotes", \\ and 日本 🚀 \u2028' } as PublicGeneration
        await addDeliveries(inside, numbered, {
          event: 'generation.failed',
          createdAt: services.clock.now(),
          dataFor: () => ({ generation }),
          isTest: false,
        })
      })
      // An overlap: the receiver holds the older secret of the two.
      await rotateSecret(context, { id: subscription.id, overlapHours: 1 })
      const deliverer = await aDeliverer(services)
      onTestFinished(() => deliverer.stop())
      const left = "select count(*)::integer as left from webhook_deliveries where subscription_id = $1 and state = 'pending'"
      await vi.waitFor(async () => expect((await services.pool.query(left, [subscription.id])).rows[0].left).toBe(0), {
        timeout: 60_000,
        interval: 50,
      })
      const { rows } = await services.pool.query(
        'select state, attempts, count(*)::integer from webhook_deliveries where subscription_id = $1 group by 1, 2',
        [subscription.id],
      )
      expect(rows).toEqual([{ state: 'delivered', attempts: 1, count: deliveries }])
      await vi.waitFor(() => expect(printed).toHaveLength(deliveries), { timeout: 5000, interval: 10 })
      expect(new Set(printed).size).toBe(deliveries)
      expect(printed[0]).toMatch(/^evt_\w+ generation\.failed gen_1$/)

      const [delivery] = await listDeliveries(context, { subscriptionIds: [subscription.id] }, { limit: 1, fromTheEnd: true })
      const [body = Buffer.alloc(0)] = await deliveryBodies(context, [delivery?.id ?? ''])
      const now = Math.floor(Date.now() / 1000)
      const signed = (timestampSeconds: number, secret = signingSecret) =>
        signWebhook({ secrets: [secret], body, timestampSeconds, id: 'evt_1' })['X-Service-Signature']
      const post = async (signature: string, sent: Buffer = body) =>
        (await fetch(address, { method: 'POST', headers: { 'X-Service-Signature': signature }, body: new Uint8Array(sent) })).status
      expect(await post(signed(now))).toBe(204)
      expect(await post(signed(now), Buffer.concat([body, Buffer.from(' ')]))).toBe(400)
      expect(await post(signed(now, `whsec_${'A'.repeat(43)}=`))).toBe(400)
      for (const stale of [now - 310, now + 310]) expect(await post(signed(stale))).toBe(400)
      for (const nonsense of ['', 't=1', 'v1=00', `t=${now},v1=`, `t=${now},v1=zz`, `t=,${signed(now).split(',')[1]}`])
        expect(await post(nonsense)).toBe(400)

      for (let count = 0; count < 3; count += 1) await breakOff(port)
      expect(await sentUntilCutOff(port)).toBeLessThan(64 * 2 ** 20)
      expect(await post(signed(now))).toBe(204)
      await vi.waitFor(() => expect(printed).toHaveLength(deliveries))
    },
  )
}
