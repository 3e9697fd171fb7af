import type { Machine } from '../chaos/machine.ts'
import type { AttackerAccounts } from './accounts.ts'
import type { Attacker } from './attacker.ts'

/** What an attack is played against: `whole` is one `start`, `split` a public `serve` that passes requests on to another process. */
export type AttackedKind = 'whole' | 'split'

/** What an attacker knows. Plain data: attacks run in a process of their own. */
export type Stage = {
  port: number
  /** The origin that browsers name in `Origin`. */
  origin: string
  accounts: AttackerAccounts
  /** A zone whose name server answers as an attacker likes, at this address; absent where the machine does not allow that. */
  names: { zone: string; address: string } | undefined
}

/** One way to use up what other callers need. */
export type Attack = {
  name: string
  /** As a row of the table says it. */
  words: string
  kind: AttackedKind
  /** Why it cannot be played on this machine; nothing when it can. */
  missing?(machine: Machine): string | undefined
  /** Attacks until `signal` aborts. Counts what it does in `attacker.tally`. */
  play(stage: Stage, attacker: Attacker, signal: AbortSignal): Promise<void>
}
