import { readFile, writeFile } from 'node:fs/promises'
import { ALL_FORMATS, BufferSource, BufferTarget, Conversion, EncodedVideoPacketSource, Input, Mp4OutputFormat, Output } from 'mediabunny'
import type { VideoToolTask } from '../../renderTask.ts'
import { captionSvg } from '../image/captionSvg.ts'
import { paletteOf } from '../image/palette.ts'
import { draw, toPixels } from '../image/raster.ts'
import { sceneSvg } from '../image/sceneSvg.ts'
import { inputsOf, requiredInput, unusableInput } from '../inputRefused.ts'
import { makeRandom } from '../random.ts'
import { titleOf } from '../title.ts'
import { encodeH264, type H264Track } from './encodeH264.ts'
import { feedPackets } from './feedPackets.ts'
import { pictureSeconds } from './pictureSeconds.ts'
import { videoFrames } from './videoFrames.ts'
import { toPlanes } from './yuv.ts'
import { zeroMp4Times } from './zeroMp4Times.ts'

/** Makes an MP4 file from a video: with new pictures of twice the size, or with the sound of an audio file. The prompt becomes its title. */
export async function editVideo(task: VideoToolTask, resultPath: string): Promise<void> {
  const video = await openInput(task, 'video')
  try {
    await pictureSeconds(video)
    const file = task.tool === 'upscale' ? await upscaled(video, task) : await dubbed(video, task)
    zeroMp4Times(file)
    await writeFile(resultPath, file)
  } finally {
    video.dispose()
  }
}

async function openInput(task: VideoToolTask, medium: 'video' | 'audio'): Promise<Input> {
  const { path } = requiredInput(inputsOf(task.inputs, medium), 0)
  return new Input({ source: new BufferSource(await readFile(path)), formats: ALL_FORMATS })
}

async function upscaled(video: Input, task: VideoToolTask): Promise<Uint8Array> {
  const pictures = await upscaledPictures(video, task)
  const output = makeOutput(task)
  const sound = await copied(video, output, 'audio')
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source)
  await output.start()
  await Promise.all([feedPackets(source, pictures), sound.utilizedTracks.length > 0 ? sound.execute() : undefined])
  return finished(output)
}

/** There is no video decoder here, so pictures and sound are copied packet by packet. */
async function dubbed(video: Input, task: VideoToolTask): Promise<Uint8Array> {
  const audio = await openInput(task, 'audio')
  try {
    if (!(await audio.getPrimaryAudioTrack().catch(() => null))) throw unusableInput()
    const output = makeOutput(task)
    const parts = [await copied(video, output, 'video'), await copied(audio, output, 'audio')]
    if (parts.some(({ utilizedTracks }) => utilizedTracks.length === 0)) throw unusableInput()
    await output.start()
    await Promise.all(parts.map((part) => part.execute()))
    return await finished(output)
  } finally {
    audio.dispose()
  }
}

type Mp4 = Output<Mp4OutputFormat, BufferTarget>

function makeOutput({ prompt }: VideoToolTask): Mp4 {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
  output.setMetadataTags({ title: titleOf(prompt) })
  return output
}

async function finished(output: Mp4): Promise<Uint8Array> {
  await output.finalize()
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
}

/** The plan to copy the packets of the primary track of one kind. It uses no track when there is none that MP4 supports. */
function copied(input: Input, output: Mp4, kind: 'video' | 'audio'): Promise<Conversion> {
  return Conversion.init({
    input,
    output,
    tracks: 'primary',
    ...(kind === 'video' ? { audio: { discard: true } } : { video: { discard: true } }),
    copy: { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY },
    composable: true,
    showWarnings: false,
  })
}

const framesPerSecond = 6
const sideMax = 2560
const secondsMax = 10

/**
 * Draws pictures of twice the size of the input video and of its length, with both sizes as text. There is no video decoder here, so its
 * own pictures cannot be enlarged. Few pictures a second keep the time of the largest render within that of a clip.
 */
async function upscaledPictures(video: Input, task: VideoToolTask): Promise<H264Track> {
  const track = await video.getPrimaryVideoTrack()
  if (!track) throw unusableInput()
  const [before, seconds] = [{ width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }, await pictureSeconds(video)]
  const size = { width: 2 * Math.round(before.width), height: 2 * Math.round(before.height) }
  if (!(Math.min(size.width, size.height) >= 32 && Math.max(size.width, size.height) <= sideMax && seconds <= secondsMax))
    throw unusableInput()
  const frames = Math.max(1, Math.round(seconds * framesPerSecond))
  const prompt = `${before.width} × ${before.height} → ${size.width} × ${size.height}`
  const palette = paletteOf(task.seed)
  const random = makeRandom('upscale', task.seed)
  const canvas = { width: even(size.width * 1.25), height: even(size.height * 1.25) }
  const background = await toPixels(draw(sceneSvg({ ...canvas, palette, random }, 'medium'), canvas), { alpha: false })
  const caption = await toPixels(draw(captionSvg({ prompt, label: task.label }, size, palette).svg, size), { alpha: true })
  const options = { ...size, frames, random, accent: palette.accents[0] }
  return encodeH264(videoFrames(toPlanes(background), caption, options), { ...size, framesPerSecond, quantizer: 30 })
}

function even(pixels: number): number {
  return Math.round(pixels / 2) * 2
}
