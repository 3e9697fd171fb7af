import { BufferTarget, EncodedAudioPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'
import type { AudioTask } from '../../renderTask.ts'
import { zeroMp4Times } from '../video/zeroMp4Times.ts'
import { encodeAac } from './encodeAac.ts'
import type { Sound } from './sound.ts'

/** Quality settings of the lossy formats. */
export type AudioQuality = { mp3Kilobits: 48 | 160; aacBitsPerSecond: number; vorbisQuality: number }

type Work = { sound: Sound; quality: AudioQuality; title: string }

/** Encodes audio as a complete file of the format. */
export function encodeAudio(format: AudioTask['format'], work: Work): Promise<Uint8Array> {
  return encoders[format](work)
}

const encoders: Record<AudioTask['format'], (work: Work) => Promise<Uint8Array>> = {
  wav: async ({ sound }) => wavOf(sound),
  mp3: async ({ sound, quality }) => {
    const encoder = await createMp3Encoder()
    encoder.configure({
      ...shapeOf(sound),
      bitrate: quality.mp3Kilobits,
      outputSampleRate: sound.samplesPerSecond === 16_000 ? 16_000 : 48_000,
    })
    return finished(encoder, sound)
  },
  ogg: async ({ sound, quality }) => {
    const encoder = await createOggEncoder()
    // The serial number is random by default, which would change the bytes of equal audio.
    encoder.configure({ ...shapeOf(sound), vbrQuality: quality.vorbisQuality, oggSerialNo: 1 })
    return finished(encoder, sound)
  },
  m4a: async ({ sound, quality, title }) => {
    const { packets, meta } = await encodeAac(sound, quality.aacBitsPerSecond)
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source)
    output.setMetadataTags({ title })
    await output.start()
    for (const packet of packets) await source.add(packet, meta)
    await output.finalize()
    const file = new Uint8Array(output.target.buffer ?? new ArrayBuffer())
    zeroMp4Times(file)
    // This brand marks audio without video.
    file.set(Buffer.from('M4A '), 8)
    return file
  },
}

function shapeOf({ samplesPerSecond, channels }: Sound): { sampleRate: number; channels: 1 | 2 } {
  return { sampleRate: samplesPerSecond, channels: channels.length === 2 ? 2 : 1 }
}

/** Copies, because the encoders return views of memory that the next call overwrites. */
function finished(encoder: { encode(samples: Float32Array[]): Uint8Array; finalize(): Uint8Array }, { channels }: Sound): Uint8Array {
  const body = Uint8Array.from(encoder.encode(channels))
  return Buffer.concat([body, encoder.finalize()])
}

/** Encodes a WAV file with 16-bit samples, channels interleaved. */
function wavOf({ samplesPerSecond, channels }: Sound): Buffer {
  const frames = channels[0]?.length ?? 0
  const dataBytes = frames * channels.length * 2
  const file = Buffer.alloc(44 + dataBytes)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + dataBytes, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(channels.length, 22)
  file.writeUInt32LE(samplesPerSecond, 24)
  file.writeUInt32LE(samplesPerSecond * channels.length * 2, 28)
  file.writeUInt16LE(channels.length * 2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(dataBytes, 40)
  for (const [index, channel] of channels.entries()) {
    for (let frame = 0; frame < frames; frame += 1) {
      const value = Math.round(Math.min(1, Math.max(-1, channel[frame] ?? 0)) * 32_767)
      file.writeInt16LE(value, 44 + (frame * channels.length + index) * 2)
    }
  }
  return file
}
