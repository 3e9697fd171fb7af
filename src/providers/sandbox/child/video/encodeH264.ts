import encoderModule from 'h264-mp4-encoder'
import { BufferSource, type EncodedPacket, EncodedPacketSink, Input, MP4 } from 'mediabunny'

/** H.264 packets in order, with the data that a player needs first. */
export type H264Track = { packets: EncodedPacket[]; meta: EncodedVideoChunkMetadata }

/** `quantizer`: 10 is the best quality, 51 the worst. */
export type H264Options = { width: number; height: number; framesPerSecond: number; quantizer: number }

/** Encodes frames (planes y, u, v in one buffer, read before the next frame is requested) as H.264 baseline. */
export async function encodeH264(frames: Iterable<Uint8Array>, options: H264Options): Promise<H264Track> {
  const { framesPerSecond } = options
  const input = new Input({ source: new BufferSource(await encodeToMp4(frames, options)), formats: [MP4] })
  try {
    const track = await input.getPrimaryVideoTrack()
    const decoderConfig = await track?.getDecoderConfig()
    if (!track || !decoderConfig) throw new Error('the encoder returned no video track')
    const packets: EncodedPacket[] = []
    for await (const packet of new EncodedPacketSink(track).packets()) {
      packets.push(packet.clone({ timestamp: packets.length / framesPerSecond, duration: 1 / framesPerSecond }))
    }
    return { packets, meta: { decoderConfig } }
  } finally {
    input.dispose()
  }
}

/** The encoder writes complete MP4 files to an in-memory disk that all its instances share. */
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
