import { registerAacEncoder } from '@mediabunny/aac-encoder'
import { AudioSample, AudioSampleSource, type EncodedPacket, Mp4OutputFormat, NullTarget, Output, Quality } from 'mediabunny'
import { type Sound, secondsOf } from './sound.ts'

registerAacEncoder()

/** AAC packets in order, with the data that a player needs first. */
export type AacTrack = { packets: EncodedPacket[]; meta: EncodedAudioChunkMetadata | undefined }

/** Encodes audio as AAC. The codec rounds up to 1024 samples; the last packet is cut to the length of the audio. */
export async function encodeAac(sound: Sound, bitsPerSecond: number): Promise<AacTrack> {
  const track: AacTrack = { packets: [], meta: undefined }
  const source = new AudioSampleSource({
    codec: 'aac',
    quality: new Quality({ bitrate: bitsPerSecond }),
    onEncodedPacket(packet, meta) {
      track.packets.push(packet)
      track.meta ??= meta
    },
  })
  const output = new Output({ format: new Mp4OutputFormat(), target: new NullTarget() })
  output.addAudioTrack(source)
  await output.start()
  const sample = new AudioSample({
    data: planar(sound.channels),
    format: 'f32-planar',
    numberOfChannels: sound.channels.length,
    sampleRate: sound.samplesPerSecond,
    timestamp: 0,
  })
  await source.add(sample)
  sample.close()
  await output.finalize()
  return { ...track, packets: endingAt(track.packets, secondsOf(sound)) }
}

function planar(channels: Float32Array[]): Float32Array<ArrayBuffer> {
  const length = channels[0]?.length ?? 0
  const whole = new Float32Array(length * channels.length)
  for (const [index, channel] of channels.entries()) whole.set(channel, index * length)
  return whole
}

function endingAt(packets: EncodedPacket[], seconds: number): EncodedPacket[] {
  return packets
    .filter(({ timestamp }) => timestamp < seconds - 1e-6)
    .map((packet) => packet.clone({ duration: Math.min(packet.duration, seconds - packet.timestamp) }))
}
