import encoderModule from 'h264-mp4-encoder'
import { BufferSource, type EncodedPacket, EncodedPacketSink, Input, MP4 } from 'mediabunny'

/** H.264 packets in their order, and what a player must know before the first. */
export type H264Track = { packets: EncodedPacket[]; meta: EncodedVideoChunkMetadata }

/** `quantizer`: 10 keeps the most, 51 the least. */
export type H264Options = { width: number; height: number; framesPerSecond: number; quantizer: number }

/** Encodes frames (planes y, u, v in one buffer, read before the next is asked for) as H.264 baseline. */
export async function encodeH264(frames: Iterable<Uint8Array>, options: H264Options): Promise<H264Track> {
  const { framesPerSecond } = options
  const input = new Input({ source: new BufferSource(await encodeToMp4(frames, options)), formats: [MP4] })
  try {
    const track = await input.getPrimaryVideoTrack()
    const decoderConfig = await track?.getDecoderConfig()
    if (!track || !decoderConfig) throw new Error('the encoder gave no video track')
    const packets: EncodedPacket[] = []
    for await (const packet of new EncodedPacketSink(track).packets()) {
      packets.push(packet.clone({ timestamp: packets.length / framesPerSecond, duration: 1 / framesPerSecond }))
    }
    return { packets, meta: { decoderConfig } }
  } finally {
    input.dispose()
  }
}

/** The encoder writes whole MP4 files, to a disk that lives in its memory and is shared by all of its uses. */
async function encodeToMp4(
  frames: Iterable<Uint8Array>,
  { width, height, framesPerSecond, quantizer }: H264Options,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await encoderModule.createH264MP4Encoder()
  try {
    Object.assign(encoder, {
      width,
      height,
      frameRate: framesPerSecond,
      quantizationParameter: quantizer,
      speed: 10,
      groupOfPictures: framesPerSecond,
    })
    encoder.initialize()
    for (const frame of frames) encoder.addFrameYuv(frame)
    encoder.finalize()
    const file = Uint8Array.from(encoder.FS.readFile(encoder.outputFilename))
    encoder.FS.unlink(encoder.outputFilename)
    return file
  } finally {
    encoder.delete()
  }
}
