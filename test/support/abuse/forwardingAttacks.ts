import type { Attack } from './attack.ts'
import { headOf, json, requestOf } from './requests.ts'
import { assetsOf, drip, readSlowly } from './slowAttacks.ts'

const bodyBytes = 256 * 1024
const addresses = 16
const eachAddress = 256

/** Incomplete bodies for the internal listener, which the public process must hold. */
export const forwardedBodies: Attack = {
  name: 'passed-on-bodies',
  words: `${addresses} addresses with ${eachAddress} bodies each of which the end lacks, for the process that INTERNAL_URL names`,
  kind: 'split',
  async play(stage, attacker) {
    const headers = { ...json, origin: stage.origin, 'content-length': String(bodyBytes) }
    const begun = ['/graphql', '/auth/sign-in/email'].map((path) =>
      Buffer.concat([Buffer.from(headOf(stage, path, { method: 'POST', headers })), Buffer.alloc(bodyBytes - 1000, ' ')]),
    )
    await attacker.lanes(addresses * eachAddress, async (lane) => {
      await drip(attacker, await attacker.connect(lane % addresses), begun[lane % begun.length] as Buffer)
    })
  },
}

/** Complete bodies at full speed, and unread responses of the internal listener. */
export const forwardedFlood: Attack = {
  name: 'passed-on-flood',
  words: '8 addresses with bodies of 256 KiB for that process, 16 at once each, and 8 with 64 unread files each of its admin UI',
  kind: 'split',
  async play(stage, attacker) {
    const { connect, ask, lanes } = attacker
    const body = Buffer.alloc(bodyBytes, ' ')
    const post = requestOf(stage, '/auth/sign-in/email', { method: 'POST', headers: { ...json, origin: stage.origin }, body })
    const assets = await assetsOf(stage)
    const flood = lanes(128, async (lane) => {
      const socket = await connect(lane % 8)
      while (!socket.destroyed) await ask(socket, post)
    })
    const unread = lanes(512, async (lane) => {
      await readSlowly(attacker, await connect(8 + (lane % 8)), requestOf(stage, assets[lane % assets.length] ?? '/integrations'))
    })
    await Promise.all([flood, unread])
  },
}
