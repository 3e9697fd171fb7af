import { readFile, writeFile } from 'node:fs/promises'
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  Conversion,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import type { VideoTask } from '../../renderTask.ts'
import { captionSvg } from '../image/captionSvg.ts'
import { collage } from '../image/collage.ts'
import { paletteOf } from '../image/palette.ts'
import { draw, type Pixels, toPixels } from '../image/raster.ts'
import { sceneSvg } from '../image/sceneSvg.ts'
import { requiredInput, unusableInput } from '../inputRefused.ts'
import { makeRandom, type Random } from '../random.ts'
import { titleOf } from '../title.ts'
import { encodeH264, type H264Options } from './encodeH264.ts'
import { feedPackets } from './feedPackets.ts'
import { pictureSeconds } from './pictureSeconds.ts'
import { soundtrack } from './soundtrack.ts'
import { videoFrames } from './videoFrames.ts'
import { toPlanes } from './yuv.ts'
import { zeroMp4Times } from './zeroMp4Times.ts'

const modes: Record<VideoTask['mode'], H264Options> = {
  turbo: { width: 640, height: 360, framesPerSecond: 12, quantizer: 30 },
  quality: { width: 1280, height: 720, framesPerSecond: 24, quantizer: 28 },
}

/** Makes an MP4 file with video and audio from the prompt, an input image or an input video. */
export async function renderVideo(task: VideoTask, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  const file = task.from === 'video' ? await restyleVideo(task, paths.scratchFolder) : await newClip(task, paths.scratchFolder)
  zeroMp4Times(file)
  await writeFile(paths.resultPath, file)
}

async function newClip(task: VideoTask, scratchFolder: string): Promise<Uint8Array> {
  const { width, height, framesPerSecond } = modes[task.mode]
  const frames = Math.round(task.durationSeconds * framesPerSecond)
  const palette = paletteOf(task.prompt)
  const random = makeRandom('video', task.prompt, task.seed)
  const background = await backgroundOf(task, random)
  const caption = await toPixels(draw(captionSvg(task, { width, height }, palette).svg, { width, height }), { alpha: true })
  const pictures = videoFrames(toPlanes(background), caption, { width, height, frames, random, accent: palette.accents[0] })
  const picture = await encodeH264(pictures, modes[task.mode])
  const sound = await soundtrack(task, frames / framesPerSecond, scratchFolder)

  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
  const [pictureSource, soundSource] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(pictureSource, { frameRate: framesPerSecond })
  output.addAudioTrack(soundSource)
  output.setMetadataTags({ title: titleOf(task.prompt) })
  await output.start()
  await Promise.all([feedPackets(pictureSource, picture), feedPackets(soundSource, sound)])
  await output.finalize()
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
}

/** The picture behind the moving window, a quarter larger than the clip. */
async function backgroundOf(task: VideoTask, random: Random): Promise<Pixels> {
  const { width, height } = modes[task.mode]
  const size = { width: even(width * 1.25), height: even(height * 1.25) }
  if (task.from === 'image') return collage(task.inputs.slice(0, 1), size, task.imageLimits)
  return toPixels(draw(sceneSvg({ ...size, palette: paletteOf(task.prompt), random }, 'medium'), size), { alpha: false })
}

function even(pixels: number): number {
  return Math.round(pixels / 2) * 2
}

/** Limit of the new audio track, which bounds the time of a render. The rest of the video is silent. */
const soundSecondsMax = 60

/**
 * Makes a video from an input video. There is no video decoder here, so its pictures are copied packet by packet. The prompt becomes the
 * title and the new audio track.
 * Throws `InputRefused` for a file without video, or with a codec that MP4 does not support.
 */
async function restyleVideo(task: VideoTask, scratchFolder: string): Promise<Uint8Array> {
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
