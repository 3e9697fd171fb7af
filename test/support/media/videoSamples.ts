import encoderModule from 'h264-mp4-encoder'
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'

export type VideoSize = { width: number; height: number; seconds: number; rotation?: 0 | 90 | 180 | 270 }

const framesPerSecond = 10

/** MP4 with its index at the start (faststart). */
export async function mp4Sample(size: VideoSize): Promise<Buffer> {
  return remux(size, new Mp4OutputFormat({ fastStart: 'in-memory' }))
}

/** Fragmented MP4, like from live recorders. */
export async function fragmentedMp4Sample(size: VideoSize): Promise<Buffer> {
  return remux(size, new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 0.3 }))
}

export async function movSample(size: VideoSize): Promise<Buffer> {
  return remux(size, new MovOutputFormat({ fastStart: false }))
}

async function remux(size: VideoSize, format: OutputFormat): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(await encodeH264(size)), formats: [MP4] })
  const track = await input.getPrimaryVideoTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig) throw new Error('the encoder gave no video track')
  const output = new Output({ format, target: new BufferTarget() })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source, { rotation: size.rotation ?? 0 })
  await output.start()
  let index = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await source.add(packet.clone({ timestamp: index / framesPerSecond, duration: 1 / framesPerSecond }), { decoderConfig })
    index += 1
  }
  input.dispose()
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer())
}

async function encodeH264({ width, height, seconds }: VideoSize): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await encoderModule.createH264MP4Encoder()
  Object.assign(encoder, { width, height, frameRate: framesPerSecond, speed: 10, groupOfPictures: framesPerSecond })
  encoder.initialize()
  for (let frame = 0; frame < seconds * framesPerSecond; frame += 1) {
    encoder.addFrameYuv(Uint8Array.from({ length: (width * height * 3) / 2 }, (_, index) => (index * 7 + frame * 20) & 0xff))
  }
  encoder.finalize()
  const file = Uint8Array.from(encoder.FS.readFile(encoder.outputFilename))
  encoder.delete()
  return file
}

/** WebM whose frames are all key frames: a lossy WebP holds exactly one. */
export async function webmSample({ width, height, seconds }: VideoSize): Promise<Buffer> {
  const webp = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .webp()
    .toBuffer()
  const at = webp.indexOf('VP8 ')
  const frame = webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4))
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() })
  const source = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(source)
  await output.start()
  for (let index = 0; index < seconds * framesPerSecond; index += 1) {
    const packet = new EncodedPacket(frame, 'key', index / framesPerSecond, 1 / framesPerSecond)
    await source.add(packet, { decoderConfig: { codec: 'vp8', codedWidth: width, codedHeight: height } })
  }
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer())
}

/** WebM with the Vorbis track of an Ogg file and no pictures. */
export async function soundOnlyWebm(ogg: Buffer): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(ogg), formats: [OGG] })
  const track = await input.getPrimaryAudioTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig) throw new Error('no sound in the Ogg file')
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() })
  const source = new EncodedAudioPacketSource('vorbis')
  output.addAudioTrack(source)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig })
  input.dispose()
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer())
}
