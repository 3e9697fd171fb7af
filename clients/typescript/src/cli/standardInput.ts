import { buffer } from 'node:stream/consumers'
import { UsageError } from './usageError.ts'
import type { World } from './world.ts'

const read = new WeakSet<World>()

/** All of standard input. It can be read once: a second reader of one command is a mistake of its caller. */
export async function standardInput(world: World): Promise<Buffer> {
  if (read.has(world)) throw new UsageError('Standard input can be read for one thing only.')
  read.add(world)
  return await buffer(world.stdin)
}
