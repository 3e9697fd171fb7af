import { buffer } from 'node:stream/consumers'
import { UsageError } from './usageError.ts'
import type { World } from './world.ts'

const read = new WeakSet<World>()

/** Reads all of standard input. It can be read once per command. */
export async function standardInput(world: World): Promise<Buffer> {
  if (read.has(world)) throw new UsageError('Standard input can be read for one thing only.')
  read.add(world)
  return await buffer(world.stdin)
}
