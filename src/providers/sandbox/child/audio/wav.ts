import type { Sound } from './sound.ts'

/** Encodes a WAV file with 16-bit samples, channels interleaved. */
export function wavOf({ samplesPerSecond, channels }: Sound): Buffer {
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
