import type { Input } from 'mediabunny'
import type { VideoToolTask } from '../../renderTask.ts'
import { captionSvg } from '../image/captionSvg.ts'
import { paletteOf } from '../image/palette.ts'
import { draw, toPixels } from '../image/raster.ts'
import { sceneSvg } from '../image/sceneSvg.ts'
import { unusableInput } from '../inputRefused.ts'
import { makeRandom } from '../random.ts'
import { encodeH264, type H264Track } from './encodeH264.ts'
import { pictureSeconds } from './pictureSeconds.ts'
import { videoFrames } from './videoFrames.ts'
import { toPlanes } from './yuv.ts'

const framesPerSecond = 6
const sideMax = 2560
const secondsMax = 10

/**
 * Draws pictures of twice the size of the input video and of its length, with both sizes as text. There is no video decoder here, so its
 * own pictures cannot be enlarged. Few pictures a second keep the time of the largest render within that of a clip.
 */
export async function upscaledPictures(video: Input, task: VideoToolTask): Promise<H264Track> {
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
