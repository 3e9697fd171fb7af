import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { countWords } from '../writeGeneration.ts'

/** Shows what the key may spend and do. */
export const account: Command = {
  name: 'account',
  usage: [''],
  summary: 'show the credits, the team and the limits of the key',
  options: serviceOptions,
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    const client = await connect(invocation)
    const found = await client.getAccount({ signal: context.interrupted })
    if (output.isJson) return output.json(found)
    const { team, key } = found
    const { daily, single } = key.limits
    output.data({ text: countWords(found.creditsAvailable), colour: 'bold' }, ' available')
    if (team) output.data(`team    ${team.name} (${team.id}), ${team.state}${team.expiresAt === null ? '' : `, until ${team.expiresAt}`}`)
    output.data(`key     ${key.name} (${key.prefix}…), ${key.permissions.join(', ')}`)
    const today = `${countWords(daily.spentCredits)} charged, ${daily.heldCredits} held`
    output.data(
      `today   ${today}${daily.limitCredits === null ? '' : `, ${daily.remainingCredits} of ${daily.limitCredits} left until ${daily.resetsAt}`}`,
    )
    if (single.limitCredits !== null) output.data(`single  ${countWords(single.limitCredits)} at most for one generation`)
  },
}
