import { setTimeout as pause } from 'node:timers/promises'
import { audit, type Findings } from '../chaos/audit.ts'
import { startHookReceiver } from '../chaos/hookReceiver.ts'
import { clientOf } from '../chaos/load.ts'
import { makeOperator } from '../chaos/operator.ts'
import { serviceToken } from '../chaos/serviceProcess.ts'
import { startMixedLoad } from '../rollout/mixedLoad.ts'
import { startSteadyLoad } from '../rollout/steadyLoad.ts'
import { makeSecretKey, openSecretStage, type SecretStage } from './secretStage.ts'

export type RotatedSecret = 'SECRET_KEY' | 'SERVICE_TOKEN' | "the database's password" | 'a vendor key' | 'credentials of S3'

/** The requests during one rotation, those of them that were refused or not answered, and the time that it took. */
export type RotationOutcome = { secret: RotatedSecret; requests: number; refused: string[]; seconds: number }

export type RotationsOutcome = {
  rotations: RotationOutcome[]
  findings: Findings
  /** Vendor generations that did not end as `ready`, as `state`. */
  vendorEnds: Record<string, number>
  /** Requests that the vendor or the bucket refused because of their credential. */
  refusedCredentials: number
}

export type RotationsOptions = { programs: Parameters<typeof openSecretStage>[0]; startsPerSecond: number; say(words: string): void }

const settleMs = 120_000
const nextToken = 'a-second-service-token-of-more-than-32-characters'

/** The changes of each secret, in the order of docs/operations.md#changing-other-secrets. */
const changes: Record<RotatedSecret, (stage: SecretStage) => Promise<void>> = {
  async SECRET_KEY({ restartWith, firstSecretKey: first }) {
    const next = makeSecretKey()
    await restartWith({ secretKey: `${first},${next}` })
    await restartWith({ secretKey: `${next},${first}` })
  },
  async SERVICE_TOKEN({ restartWith, balancer }) {
    await restartWith({ serviceToken: `${serviceToken},${nextToken}` })
    const query = JSON.stringify({ query: '{ __typename }' })
    const headers = { authorization: `Bearer ${nextToken}`, 'content-type': 'application/json' }
    await balancer.fetch('http://127.0.0.1/graphql', { method: 'POST', headers, body: query })
  },
  async "the database's password"({ restartWith, cluster }) {
    await cluster.ask("create role atelier_next login password 'second-password' in role atelier")
    await restartWith({ databaseUser: 'atelier_next', databasePassword: 'second-password' })
    await cluster.ask('alter role atelier nologin')
  },
  async 'a vendor key'({ restartWith, vendor }) {
    vendor.accept('fal-key-id:first', 'fal-key-id:second')
    await restartWith({ falKey: 'fal-key-id:second' })
    vendor.accept('fal-key-id:second')
  },
  async 'credentials of S3'({ restartWith, storage }) {
    storage.accept('FIRSTACCESSKEY', 'SECONDACCESSKEY')
    await restartWith({ storageKey: 'SECONDACCESSKEY' })
    storage.accept('SECONDACCESSKEY')
  },
}

/** Changes every secret of a running deployment under load, one after another, and checks that no request is refused. */
export async function playSecretRotations({ programs, startsPerSecond, say }: RotationsOptions): Promise<RotationsOutcome> {
  const stage = await openSecretStage(programs)
  const receiver = await startHookReceiver()
  try {
    const { balancer } = stage
    const operator = makeOperator(balancer)
    const name = 'secrets'
    const team = await operator.makeTeam(name, receiver.addressOf(name))
    receiver.expect(name, team.signingSecret)
    const from = balancer.attempts.length
    const load = startSteadyLoad(balancer, { key: team.key, name, startsPerSecond })
    const mixed = startMixedLoad(balancer, { key: team.key, name, load })
    // Of another team: the audit expects the sandbox's images of this one.
    const vendorLoad = startVendorLoad(balancer, (await operator.makeTeam('vendor', receiver.addressOf('none'))).key)
    const rotations: RotationOutcome[] = []
    for (const secret of Object.keys(changes) as RotatedSecret[]) {
      const outcome = await rotateOne(stage, secret)
      say(`${secret}: ${outcome.requests} requests in ${outcome.seconds.toFixed(0)} s, ${outcome.refused.length} refused`)
      rotations.push(outcome)
    }
    await Promise.all([load.end(), mixed.end(), vendorLoad.end()])
    const overAt = performance.now()
    const vendorEnds = await vendorLoad.ends()
    while (performance.now() < overAt + settleMs && (await operator.account(team)).creditsHeld > 0) await pause(500)
    while (performance.now() < overAt + settleMs) {
      if ((await operator.deliveries(team)).every(({ state }) => state === 'DELIVERED')) break
      await pause(500)
    }
    const attempts = balancer.attempts.slice(from)
    const evidence = { team, acknowledged: [...load.acknowledged.values()], attempts, arrivals: receiver.arrivals(name), overAt }
    const findings = await audit(balancer, operator, evidence)
    return { rotations, findings, vendorEnds, refusedCredentials: stage.vendor.refused() + stage.storage.refused() }
  } finally {
    await stage.close()
    await receiver.leave()
  }
}

async function rotateOne(stage: SecretStage, secret: RotatedSecret): Promise<RotationOutcome> {
  const { attempts } = stage.balancer
  const [from, begunAt] = [attempts.length, performance.now()]
  await changes[secret](stage)
  const made = attempts.slice(from)
  const refused = made.filter(({ status }) => status === undefined || status >= 500 || status === 401 || status === 403)
  return {
    secret,
    requests: made.length,
    refused: refused.map(({ status, request, server }) => `${status ?? 'no answer'} ${request} of ${server}`),
    seconds: (performance.now() - begunAt) / 1_000,
  }
}

/** Starts work at the vendor twice a second; `ends` waits for all of it. */
function startVendorLoad(balancer: SecretStage['balancer'], key: string) {
  const client = clientOf(balancer, key)
  const ending = new AbortController()
  const started: string[] = []
  const repeating = (async () => {
    while (!ending.signal.aborted) {
      const request = { familyId: 'fal-minimax-speech-2.8', prompt: 'Good evening.' }
      started.push((await client.start(request, { idempotencyKey: `vendor-${started.length}`, timeoutSeconds: 120 })).generationId)
      await pause(500)
    }
  })()
  return {
    async end() {
      ending.abort()
      await repeating
    },
    async ends(): Promise<Record<string, number>> {
      const ends: Record<string, number> = {}
      for (const id of started) {
        const { state } = await client.waitUntilDone(id)
        if (state !== 'ready') ends[state] = (ends[state] ?? 0) + 1
      }
      return ends
    },
  }
}
