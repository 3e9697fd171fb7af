import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { creditsOf } from '../credits/hundredths.ts'
import { aboveMaxCredits, obstacles, readSpending } from '../credits/spending.ts'
import type { Refusal } from '../refusals.ts'
import { planGeneration } from './plan.ts'
import type { GenerationRequest } from './request.ts'

/** The answer to an estimate; amounts in credits. Contract: section 3, POST /generations/estimate. */
export type PublicEstimate = {
  familyId: string
  variant: { modelId: string; task: string; axes: Record<string, string> }
  credits: number
  creditsAvailable: number
  sufficient: boolean
  breakdown: { unit: string; quantity: number; credits: number }[]
  expectedRunSeconds: { typical: number; slow: number }
  blockers: string[]
}

/**
 * What the request would cost and whether a start would pass right now. Nothing is created, held or spent.
 * Refusals: those of {@link planGeneration}; what only the money says no to is listed in `blockers` instead.
 */
export async function estimateGeneration(context: Context, spender: Spender, request: GenerationRequest): Promise<PublicEstimate> {
  const plan = await planGeneration(context, spender, request)
  const { total, breakdown } = plan.quote
  const spending = await readSpending(context, spender)
  const above = aboveMaxCredits(total, request.maxCredits)
  const blocking: Refusal[] = [...(above ? [above] : []), ...obstacles(spending, total, context.clock.now())]
  return {
    familyId: plan.family.id,
    variant: { modelId: plan.variant.modelId, task: plan.task, axes: { ...plan.variant.axes } },
    credits: creditsOf(total),
    creditsAvailable: creditsOf(spending.available),
    sufficient: total <= spending.available,
    breakdown: breakdown.map((line) => ({ unit: line.unit, quantity: line.quantity, credits: creditsOf(line.credits) })),
    expectedRunSeconds: { ...plan.variant.expectedRunSeconds },
    blockers: [...new Set(blocking.map(({ code }) => code))],
  }
}
