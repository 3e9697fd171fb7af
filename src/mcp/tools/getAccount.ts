import { z } from 'zod'
import { account, type PublicAccount } from '../../contract/shapes/account.ts'
import { formatCredits } from '../formatCredits.ts'
import { readOnlyAnnotations, tool, toolResult } from '../tool.ts'

export const getAccount = tool({
  name: 'get_account',
  title: 'Get the account',
  description:
    'Returns the credits available now, the ceilings of the key, and its spending today. Generations of agents are paid from the personal credits of the person. Free of charge.',
  input: z.strictObject({}),
  output: account,
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const get = field('query', 'account')
    return async (call) => {
      const status = (await get({}, call)) as PublicAccount
      return toolResult(status, accountText(status))
    }
  },
})

function accountText({ creditsAvailable, key: { limits } }: PublicAccount): string {
  const { limitCredits, remainingCredits, resetsAt } = limits.daily
  const daily = limitCredits === null ? 'no daily ceiling' : `${remainingCredits} of ${limitCredits} left today, until ${resetsAt}`
  const single = limits.single.limitCredits === null ? 'no ceiling for one generation' : `${limits.single.limitCredits} for one generation`
  return `${formatCredits(creditsAvailable)} available; ${daily}; ${single}.`
}
