import { BufferTarget, EncodedAudioPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'
import type { AudioTask } from '../../renderTask.ts'
import { zeroMp4Times } from '../video/zeroMp4Times.ts'
import { encodeAac } from './encodeAac.ts'
import type { Sound } from './sound.ts'
import { wavOf } from './wav.ts'

/** How finely the lossy formats keep the sound. */
export type AudioQuality = { mp3Kilobits: 48 | 160; aacBitsPerSecond: number; vorbisQuality: number }

type Work = { sound: Sound; quality: AudioQuality; title: string }

/** The whole file of a sound in the wanted format. */
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
    // The number of the stream would otherwise be drawn by lot, and equal sounds differ in their bytes.
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
    // The brand by which programs tell a sound alone from a video.
    file.set(Buffer.from('M4A '), 8)
    return file
  },
}

function shapeOf({ samplesPerSecond, channels }: Sound): { sampleRate: number; channels: 1 | 2 } {
  return { sampleRate: samplesPerSecond, channels: channels.length === 2 ? 2 : 1 }
}

/** The encoders hand out views of memory that their next call overwrites, hence the copies. */
function finished(encoder: { encode(samples: Float32Array[]): Uint8Array; finalize(): Uint8Array }, { channels }: Sound): Uint8Array {
  const body = Uint8Array.from(encoder.encode(channels))
  return Buffer.concat([body, encoder.finalize()])
}
