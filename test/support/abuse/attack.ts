import type { Machine } from '../chaos/machine.ts'
import type { AttackerAccounts } from './accounts.ts'
import type { Attacker } from './attacker.ts'

/** The target: `whole` is one `start`, `split` a public `serve` that proxies to another process. */
export type AttackedKind = 'whole' | 'split'

/** The attacker's data. Plain data, because attacks run in a separate process. */
export type Stage = {
  port: number
  /** The value of `Origin` from browsers. */
  origin: string
  accounts: AttackerAccounts
  /** A DNS zone whose name server the attacker controls, at this address; absent if the machine does not allow that. */
  names: { zone: string; address: string } | undefined
}

/** An attack on a shared resource. */
export type Attack = {
  name: string
  /** Description in the table. */
  words: string
  kind: AttackedKind
  /** The reason why this machine cannot run it; undefined otherwise. */
  missing?(machine: Machine): string | undefined
  /** Attacks until `signal` aborts, and counts in `attacker.tally`. */
  play(stage: Stage, attacker: Attacker, signal: AbortSignal): Promise<void>
}
