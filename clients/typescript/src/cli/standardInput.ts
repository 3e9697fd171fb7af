import { buffer } from 'node:stream/consumers'
import type { CommandContext } from './commandContext.ts'
import { UsageError } from './usageError.ts'

const read = new WeakSet<CommandContext>()

/** Reads all of standard input. It can be read once per command. */
export async function standardInput(context: CommandContext): Promise<Buffer> {
  if (read.has(context)) throw new UsageError('Standard input can be read for one thing only.')
  read.add(context)
  return await buffer(context.stdin)
}
