import { readFile } from 'node:fs/promises'
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
} from 'mediabunny'
import type { AudioTask, SoundTask } from '../../renderTask.ts'
import { requiredInput, unusableInput } from '../inputRefused.ts'
import { titleOf } from '../title.ts'
import { zeroMp4Times } from '../video/zeroMp4Times.ts'

/** Ogg is missing, because its muxer writes a random serial number. */
const formats: Partial<Record<AudioTask['format'], () => OutputFormat>> = {
  mp3: () => new Mp3OutputFormat(),
  wav: () => new WavOutputFormat(),
  m4a: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
}

type Audio = { track: InputAudioTrack; packets: EncodedPacket[]; codec: NonNullable<Awaited<ReturnType<InputAudioTrack['getCodec']>>> }

/**
 * Makes audio that plays the input twice, in its own format. There is no decoder here, so its packets are copied. The prompt becomes the
 * title.
 * Throws `InputRefused` for a file without audio, or with a codec that its format does not support.
 */
export async function repeatAudio(task: SoundTask): Promise<Uint8Array> {
  const source = requiredInput(task.inputs, 0)
  const input = new Input({ source: new BufferSource(await readFile(source.path)), formats: ALL_FORMATS })
  try {
    const audio = await audioOf(input).catch((cause: unknown) => {
      throw unusableInput(cause)
    })
    const format = formats[task.format]?.()
    if (!format?.getSupportedAudioCodecs().includes(audio.codec)) throw unusableInput()
    const file = await twice(audio, format, titleOf(task.prompt))
    if (task.format === 'm4a') {
      zeroMp4Times(file)
      file.set(Buffer.from('M4A '), 8)
    }
    return file
  } finally {
    input.dispose()
  }
}

async function audioOf(input: Input): Promise<Audio> {
  const track = await input.getPrimaryAudioTrack()
  const codec = await track?.getCodec()
  if (!track || !codec) throw new Error('no audio')
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
  if (packets.length === 0) throw new Error('no packets')
  return { track, packets, codec }
}

async function twice({ track, packets, codec }: Audio, format: OutputFormat, title: string): Promise<Uint8Array> {
  const decoderConfig = await track.getDecoderConfig()
  if (!decoderConfig) throw unusableInput()
  const output = new Output({ format, target: new BufferTarget() })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  output.setMetadataTags({ title })
  await output.start()
  const [first, last] = [packets[0], packets.at(-1)]
  const start = first?.timestamp ?? 0
  const seconds = (last ? last.timestamp + last.duration : 0) - start
  for (const delay of [0, seconds]) {
    for (const packet of packets) await source.add(packet.clone({ timestamp: packet.timestamp - start + delay }), { decoderConfig })
  }
  source.close()
  await output.finalize()
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer())
}
