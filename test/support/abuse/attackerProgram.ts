import { setPriority } from 'node:os'
import type { Stage } from './attack.ts'
import { makeAttacker } from './attacker.ts'
import { attacks } from './attacks.ts'

/**
 * Runs one attack in a separate process with low priority, until it is stopped: on a separate machine it would take no
 * processor time from the service.
 */
type Message = { name: string; stage: Stage } | 'end'

const lowPriority = 10
const ending = new AbortController()
setPriority(lowPriority)

process.on('message', (message: Message) => {
  if (message === 'end') ending.abort()
  else void play(message)
})

async function play({ name, stage }: { name: string; stage: Stage }): Promise<void> {
  const attack = attacks.find((each) => each.name === name)
  if (!attack) throw new Error(`there is no attack ${name}`)
  const attacker = makeAttacker(stage.port, ending.signal)
  await attack.play(stage, attacker, ending.signal)
  process.send?.(attacker.tally, () => process.exit())
}
