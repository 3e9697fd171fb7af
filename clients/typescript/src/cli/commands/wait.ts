import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { finish } from '../finish.ts'
import { follow } from '../follow.ts'
import { saveOptions, serviceOptions, waitOptions } from '../options.ts'
import { saveTargetOf } from '../saveTarget.ts'

/** Waits for a generation that was started before. */
export const wait: Command = {
  name: 'wait',
  usage: ['<generationId>'],
  summary: 'wait for the end of a generation, and save its result',
  options: { ...saveOptions, ...waitOptions, ...serviceOptions },
  run: async (invocation) => {
    const { given, output, context } = invocation
    const [id = ''] = given.named('generationId')
    const target = await saveTargetOf(given)
    const timeoutSeconds = given.seconds('timeout')
    const client = await connect(invocation)
    const begun = await client.getGeneration(id, { signal: context.interrupted })
    const ended = begun.finishedAt === null ? await follow(client, begun, { output, signal: context.interrupted, timeoutSeconds }) : begun
    return await finish(client, invocation, ended, target)
  },
}
