import { writeFile } from 'node:fs/promises'
import { BufferTarget, EncodedAudioPacketSource, type EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import type { VideoOrder } from '../renderOrder.ts'
import { captionSvg } from './caption.ts'
import { collage } from './collage.ts'
import { encodeH264, type H264Options } from './h264.ts'
import { zeroMp4Times } from './mp4Times.ts'
import { paletteOf } from './palette.ts'
import { makeRandom, type Random } from './random.ts'
import { draw, type Pixels, toPixels } from './raster.ts'
import { restyleVideo } from './restyleVideo.ts'
import { sceneSvg } from './scene.ts'
import { soundtrack } from './soundtrack.ts'
import { titleOf } from './title.ts'
import { videoFrames } from './videoFrames.ts'
import { toPlanes } from './yuv.ts'

const modes: Record<VideoOrder['mode'], H264Options> = {
  turbo: { width: 640, height: 360, framesPerSecond: 12, quantizer: 30 },
  quality: { width: 1280, height: 720, framesPerSecond: 24, quantizer: 28 },
}

/** Makes an MP4 file with picture and sound: from the prompt, from an input image, or out of an input video. */
export async function renderVideo(order: VideoOrder, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  const file = order.from === 'video' ? await restyleVideo(order, paths.scratchFolder) : await newClip(order, paths.scratchFolder)
  zeroMp4Times(file)
  await writeFile(paths.resultPath, file)
}

async function newClip(order: VideoOrder, scratchFolder: string): Promise<Uint8Array> {
  const { width, height, framesPerSecond } = modes[order.mode]
  const frames = Math.round(order.durationSeconds * framesPerSecond)
  const palette = paletteOf(order.prompt)
  const random = makeRandom('video', order.prompt, order.seed)
  const background = await backgroundOf(order, random)
  const caption = await toPixels(draw(captionSvg(order, { width, height }, palette).svg, { width, height }), { alpha: true })
  const pictures = videoFrames(toPlanes(background), caption, { width, height, frames, random, accent: palette.accents[0] })
  const picture = await encodeH264(pictures, modes[order.mode])
  const sound = await soundtrack(order, frames / framesPerSecond, scratchFolder)

  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
  const [pictureSource, soundSource] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(pictureSource, { frameRate: framesPerSecond })
  output.addAudioTrack(soundSource)
  output.setMetadataTags({ title: titleOf(order.prompt) })
  await output.start()
  await Promise.all([feed(pictureSource, picture), feed(soundSource, sound)])
  await output.finalize()
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
}

/** The picture that the clip's window wanders over, a quarter larger than the clip. */
async function backgroundOf(order: VideoOrder, random: Random): Promise<Pixels> {
  const { width, height } = modes[order.mode]
  const size = { width: even(width * 1.25), height: even(height * 1.25) }
  if (order.from === 'image') return collage(order.inputs.slice(0, 1), size, order.imageLimits)
  return toPixels(draw(sceneSvg({ ...size, palette: paletteOf(order.prompt), random }, 'medium'), size), { alpha: false })
}

function even(pixels: number): number {
  return Math.round(pixels / 2) * 2
}

type Feedable<Meta> = { add(packet: EncodedPacket, meta?: Meta): Promise<void>; close(): void }

async function feed<Meta>(source: Feedable<Meta>, { packets, meta }: { packets: EncodedPacket[]; meta: Meta | undefined }): Promise<void> {
  for (const packet of packets) await source.add(packet, meta)
  source.close()
}
