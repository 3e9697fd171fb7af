import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { exitCodes } from '../exitCodes.ts'
import { finish } from '../finish.ts'
import { saveOptions, serviceOptions } from '../options.ts'
import { saveTargetOf } from '../saveTarget.ts'
import { writeGeneration } from '../writeGeneration.ts'

/** Shows the current state of a generation. */
export const get: Command = {
  name: 'get',
  usage: ['<generationId>'],
  summary: 'show the current state of a generation, or save its result',
  options: { ...saveOptions, ...serviceOptions },
  run: async (invocation) => {
    const { given, output, context } = invocation
    const [id = ''] = given.named('generationId')
    const target = await saveTargetOf(given)
    const client = await connect(invocation)
    const generation = await client.getGeneration(id, { signal: context.interrupted })
    if (!target) return output.isJson ? output.json(generation) : writeGeneration(output, generation)
    if (generation.finishedAt !== null) return await finish(client, invocation, generation, target)
    output.warn(`${generation.generationId} is ${generation.state}: there is no result to save yet.`)
    return exitCodes.unfinished
  },
}
