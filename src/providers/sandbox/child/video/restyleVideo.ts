import { readFile } from 'node:fs/promises'
import { ALL_FORMATS, BufferSource, BufferTarget, Conversion, EncodedAudioPacketSource, Input, Mp4OutputFormat, Output } from 'mediabunny'
import type { VideoTask } from '../../renderTask.ts'
import { requiredInput, unusableInput } from '../inputRefused.ts'
import { titleOf } from '../title.ts'
import { feedPackets } from './feedPackets.ts'
import { pictureSeconds } from './pictureSeconds.ts'
import { soundtrack } from './soundtrack.ts'

/** Limit of the new audio track, which bounds the time of a render. The rest of the video is silent. */
const soundSecondsMax = 60

/**
 * Makes a video from an input video. There is no video decoder here, so its pictures are copied packet by packet. The prompt becomes the
 * title and the new audio track.
 * Throws `InputRefused` for a file without video, or with a codec that MP4 does not support.
 */
export async function restyleVideo(task: VideoTask, scratchFolder: string): Promise<Uint8Array> {
  const source = requiredInput(task.inputs, 0)
  const input = new Input({ source: new BufferSource(await readFile(source.path)), formats: ALL_FORMATS })
  try {
    const seconds = await pictureSeconds(input)
    const sound = await soundtrack(task, Math.min(seconds, soundSecondsMax), scratchFolder)
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
    const pictures = await Conversion.init({
      input,
      output,
      tracks: 'primary',
      audio: { discard: true },
      copy: { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY },
      composable: true,
      showWarnings: false,
    })
    if (pictures.utilizedTracks.length === 0) throw unusableInput()
    const soundSource = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(soundSource)
    output.setMetadataTags({ title: titleOf(task.prompt) })
    await output.start()
    await Promise.all([pictures.execute(), feedPackets(soundSource, sound)])
    await output.finalize()
    return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
  } finally {
    input.dispose()
  }
}
