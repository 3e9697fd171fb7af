import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { durationWords } from '../duration.ts'
import { requestOptions, serviceOptions } from '../options.ts'
import { requestOf } from '../request.ts'
import { axesWords, countWords } from '../writeGeneration.ts'

/** Shows the cost of `run` with the same arguments. */
export const estimate: Command = {
  name: 'estimate',
  usage: ['<family> [prompt]'],
  summary: 'show what a run would cost, and whether it could start',
  about: 'Takes the options of `run` that affect the price. Spends nothing. Files are uploaded, because prices may depend on them.',
  options: { ...requestOptions, ...serviceOptions },
  run: async (invocation) => {
    const { output, context } = invocation
    const client = await connect(invocation)
    const { request } = await requestOf(client, invocation)
    const found = await client.estimate(request, { signal: context.interrupted })
    if (output.isJson) return output.json(found)
    const { variant, expectedRunSeconds } = found
    output.data({ text: countWords(found.credits), colour: 'bold' }, `  ${variant.modelId}${axesWords(variant.axes)}, ${variant.task}`)
    for (const { unit, quantity, credits } of found.breakdown) output.data(`  ${quantity} × ${unit}: ${countWords(credits)}`)
    output.data(`  usually ${durationWords(expectedRunSeconds.typical)}, ${durationWords(expectedRunSeconds.slow)} when slow`)
    output.data(`  ${countWords(found.creditsAvailable)} available`)
    if (found.blockers.length > 0) output.data({ text: `  would not start now: ${found.blockers.join(', ')}`, colour: 'red' })
  },
}
