import type { Attack } from './attack.ts'
import { hostileJson } from './bodyAttacks.ts'
import { agents, eventStreams, hostileUploads, signInFlood } from './callerAttacks.ts'
import { longHeaders, openHeaders, pipelining } from './connectionAttacks.ts'
import { forwardedBodies, forwardedFlood } from './forwardingAttacks.ts'
import { heavyPages, hostileDocuments } from './graphqlAttacks.ts'
import { slowBodies, slowReaders } from './slowAttacks.ts'
import { dnsTarPit, linkTarPit } from './tarPits.ts'

const nothing: Attack = {
  name: 'nothing',
  words: 'no attack, to compare with',
  kind: 'whole',
  play: (_stage, _attacker, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
}

/** In the order of the table. */
export const attacks: readonly Attack[] = [
  nothing,
  pipelining,
  slowReaders,
  slowBodies,
  openHeaders,
  longHeaders,
  heavyPages,
  hostileDocuments,
  hostileJson,
  dnsTarPit,
  linkTarPit,
  eventStreams,
  agents,
  hostileUploads,
  signInFlood,
  forwardedBodies,
  forwardedFlood,
]
