import type { Input, InputVideoTrack } from 'mediabunny'
import { unusableInput } from '../inputRefused.ts'

/** The length of the pictures of a file. Throws `InputRefused` for a file without video. */
export async function pictureSeconds(input: Input): Promise<number> {
  const track = await input.getPrimaryVideoTrack().catch((cause: unknown) => {
    throw unusableInput(cause)
  })
  const seconds = track ? await spanOf(track).catch(() => 0) : 0
  if (!(seconds > 0)) throw unusableInput()
  return seconds
}

async function spanOf(track: InputVideoTrack): Promise<number> {
  return (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp())
}
