import { registerAacEncoder } from '@mediabunny/aac-encoder'
import { AudioSample, AudioSampleSource, BufferTarget, Mp4OutputFormat, Output, Quality } from 'mediabunny'
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'
import { checksum as checksum16 } from '../../../src/media/inspection/checkFlacComplete.ts'

const rate = 16_000

/** A tone of 440 Hz, one channel, from -1 to 1. */
function tone(seconds: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: rate * seconds }, (_, index) => Math.sin((index / rate) * 440 * 2 * Math.PI) / 2)
}

export function wavSample(seconds: number): Buffer {
  const samples = tone(seconds)
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples.length * 2, 40)
  for (const [index, value] of samples.entries()) file.writeInt16LE(Math.round(value * 32_767), 44 + index * 2)
  return file
}

export async function mp3Sample(seconds: number): Promise<Buffer> {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate: rate, channels: 1, bitrate: 48, outputSampleRate: rate })
  return finish(encoder, seconds)
}

export async function oggSample(seconds: number): Promise<Buffer> {
  const encoder = await createOggEncoder()
  encoder.configure({ sampleRate: rate, channels: 1, vbrQuality: 0 })
  return finish(encoder, seconds)
}

function finish(encoder: { encode(samples: Float32Array[]): Uint8Array; finalize(): Uint8Array }, seconds: number): Buffer {
  // The encoders hand out views of memory that their next call overwrites.
  const body = Buffer.from(encoder.encode([tone(seconds)]))
  return Buffer.concat([body, encoder.finalize()])
}

export async function m4aSample(seconds: number): Promise<Buffer> {
  registerAacEncoder()
  const source = new AudioSampleSource({ codec: 'aac', quality: new Quality({ bitrate: 32_000 }) })
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() })
  output.addAudioTrack(source)
  await output.start()
  const sample = new AudioSample({ data: tone(seconds), format: 'f32-planar', numberOfChannels: 1, sampleRate: rate, timestamp: 0 })
  await source.add(sample)
  sample.close()
  await output.finalize()
  return Buffer.from(output.target.buffer ?? new ArrayBuffer())
}

const blockSamples = 4096

/** FLAC by hand: frames that store every sample as it is. */
export function flacSample(seconds: number): Buffer {
  const samples = tone(seconds)
  const information = Buffer.alloc(34)
  information.writeUInt16BE(blockSamples, 0)
  information.writeUInt16BE(blockSamples, 2)
  information.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(samples.length), 10)
  const frames: Buffer[] = []
  for (let start = 0; start < samples.length; start += blockSamples) {
    frames.push(flacFrame(samples.subarray(start, start + blockSamples), frames.length))
  }
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), information, ...frames])
}

function flacFrame(samples: Float32Array, number: number): Buffer {
  // Synchronisation, block length in two bytes at the end, 16 kHz, one channel, 16 bits, then the number of the frame.
  const header = Buffer.from([0xff, 0xf8, 0x75, 0x08, number, 0, 0])
  header.writeUInt16BE(samples.length - 1, 5)
  const body = Buffer.alloc(1 + samples.length * 2)
  body.writeUInt8(0x02, 0)
  for (const [index, value] of samples.entries()) body.writeInt16BE(Math.round(value * 32_767), 1 + index * 2)
  const frame = Buffer.concat([header, Buffer.from([checksum8(header)]), body])
  const sum = Buffer.alloc(2)
  sum.writeUInt16BE(checksum16(frame))
  return Buffer.concat([frame, sum])
}

function checksum8(header: Buffer): number {
  let value = 0
  for (const byte of header) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 0x80 ? ((value << 1) ^ 0x07) & 0xff : (value << 1) & 0xff
  }
  return value
}
