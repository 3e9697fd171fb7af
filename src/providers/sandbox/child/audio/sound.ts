/** Audio samples from -1 to 1, one array per channel, all of the same length. */
export type Sound = { samplesPerSecond: number; channels: Float32Array[] }

export function secondsOf({ channels, samplesPerSecond }: Sound): number {
  return (channels[0]?.length ?? 0) / samplesPerSecond
}

/** The first `seconds` of audio, with a fade-out where it is cut. */
export function cutSound(sound: Sound, seconds: number): Sound {
  const length = Math.round(seconds * sound.samplesPerSecond)
  if ((sound.channels[0]?.length ?? 0) <= length) return sound
  const fade = Math.min(length, Math.round(sound.samplesPerSecond * 0.05))
  const channels = sound.channels.map((channel) => {
    const kept = channel.slice(0, length)
    for (let index = 0; index < fade; index += 1) kept[length - 1 - index] = (kept[length - 1 - index] ?? 0) * (index / fade)
    return kept
  })
  return { ...sound, channels }
}

/** Raises the sample rate by a whole factor, with cubic interpolation. */
export function upsampled({ samplesPerSecond, channels }: Sound, factor: number): Sound {
  return { samplesPerSecond: samplesPerSecond * factor, channels: channels.map((channel) => upsampledChannel(channel, factor)) }
}

function upsampledChannel(source: Float32Array, factor: number): Float32Array {
  const result = new Float32Array(source.length * factor)
  const at = (index: number) => source[Math.min(source.length - 1, Math.max(0, index))] ?? 0
  for (let index = 0; index < source.length; index += 1) {
    const [before, here, next, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    for (let step = 0; step < factor; step += 1) {
      const t = step / factor
      const cubic =
        2 * here +
        (next - before) * t +
        (2 * before - 5 * here + 4 * next - after) * t ** 2 +
        (3 * here - before - 3 * next + after) * t ** 3
      result[index * factor + step] = cubic / 2
    }
  }
  return result
}

/** Quiet audio in the background of other audio of the same sample rate, one channel each, as long as the background. */
export function mixed(ground: Sound, voice: Sound): Sound {
  const [low, high] = [ground.channels[0] ?? new Float32Array(), voice.channels[0] ?? new Float32Array()]
  return { ...ground, channels: [low.map((sample, index) => 0.6 * sample + 0.8 * (high[index] ?? 0))] }
}
