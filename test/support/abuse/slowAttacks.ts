import type { Socket } from 'node:net'
import type { Attack, Stage } from './attack.ts'
import type { Attacker } from './attacker.ts'
import { heavyPage } from './graphqlAttacks.ts'
import { headOf, json, requestOf } from './requests.ts'

const addresses = 16
/** The maximum in progress of one address. */
const eachAddress = 256
const bodyBytes = 256 * 1024
const pieceMs = 1000

/** Sends a part of a request and then a byte per second, as long as the service waits. */
export async function drip({ send, closed }: Attacker, socket: Socket, begun: Buffer): Promise<void> {
  await send(socket, begun)
  while (!socket.destroyed) {
    await closed(socket, pieceMs)
    if (!socket.destroyed) socket.write(' ')
  }
}

/** Sends a request, and reads almost nothing of the response. */
export async function readSlowly({ send, closed }: Attacker, socket: Socket, request: Buffer): Promise<void> {
  socket.pause()
  await send(socket, request)
  while (!socket.destroyed) {
    await closed(socket, pieceMs)
    socket.read(16)
  }
}

/** Bodies without their end: of sign-ins, starts and uploads. */
export const slowBodies: Attack = {
  name: 'slow-bodies',
  words: `${addresses} addresses with ${eachAddress} sign-ins each, and 4 keys with 16 starts and 16 uploads each, of whose bodies the end lacks`,
  kind: 'whole',
  async play(stage, attacker) {
    const { connect, lanes } = attacker
    const { keys } = stage.accounts
    const begun = (path: string, { key, length, sent }: { key?: string | undefined; length: number; sent: number }) => {
      const headers = { ...json, origin: stage.origin, 'content-length': String(length) }
      return Buffer.concat([Buffer.from(headOf(stage, path, { method: 'POST', key, headers })), Buffer.alloc(sent, '{"base64":"')])
    }
    const signIn = begun('/auth/sign-in/email', { length: bodyBytes, sent: bodyBytes - 1000 })
    const held = keys.flatMap((key) => [
      begun('/api/v1/generations', { key, length: bodyBytes, sent: bodyBytes - 1000 }),
      begun('/api/v1/files', { key, length: 30_000_000, sent: 300_000 }),
    ])
    const strangers = lanes(addresses * eachAddress, async (lane) => drip(attacker, await connect(lane % addresses), signIn))
    const holders = lanes(32 * keys.length, async (lane) =>
      drip(attacker, await connect(lane % addresses), held[lane % held.length] as Buffer),
    )
    await Promise.all([strangers, holders])
  },
}

/** The longest responses for each kind of caller, almost unread. */
export const slowReaders: Attack = {
  name: 'slow-readers',
  words: 'hardly read: 1,024 files of the admin UI for strangers, 128 pages of history for 4 keys and 128 answers of 8 MB for 4 members',
  kind: 'whole',
  async play(stage, attacker) {
    const { connect, lanes } = attacker
    const assets = await assetsOf(stage)
    const { keys, sessions } = stage.accounts
    const strangers = lanes(1024, async (lane) => {
      await readSlowly(attacker, await connect(lane % 4), requestOf(stage, assets[lane % assets.length] ?? '/docs'))
    })
    const holders = lanes(128, async (lane) => {
      const key = keys[lane % keys.length]
      await readSlowly(attacker, await connect(4 + (lane % 4)), requestOf(stage, '/api/v1/generations?limit=50', { key }))
    })
    const members = lanes(128, async (lane) => {
      await readSlowly(attacker, await connect(8 + (lane % 4)), heavyPage(stage, sessions[lane % sessions.length]))
    })
    await Promise.all([strangers, holders, members])
  },
}

/** The files that the page of the admin UI names. */
export async function assetsOf({ port }: Stage): Promise<string[]> {
  const page = await (await fetch(`http://127.0.0.1:${port}/integrations`)).text()
  return [...page.matchAll(/\/integrations\/assets\/[\w.-]+/g)].map(([path]) => path)
}
