import { z } from 'zod'

const seed = z.int().min(0).max(4_294_967_295)
const mp3 = ['mp3_22050_32', 'mp3_24000_48', 'mp3_44100_32', 'mp3_44100_64', 'mp3_44100_96', 'mp3_44100_128', 'mp3_44100_192'] as const
const opus = ['opus_48000_32', 'opus_48000_64', 'opus_48000_96', 'opus_48000_128', 'opus_48000_192'] as const
const wav = ['wav_8000', 'wav_16000', 'wav_22050', 'wav_24000', 'wav_32000', 'wav_44100', 'wav_48000'] as const
const mp3OfMusic = ['auto', 'mp3_48000_128', 'mp3_48000_192', 'mp3_48000_240', 'mp3_48000_320'] as const

/** Requests like from the vendor's client of November 2026 (2.73); unknown ones are refused. */
export const elevenlabsRequests = {
  'text-to-speech': {
    formats: z.enum([...mp3, ...opus, ...wav]),
    body: z.strictObject({
      text: z.string().min(1),
      model_id: z.enum(['eleven_v4', 'eleven_v3', 'eleven_multilingual_v2', 'eleven_flash_v2_5']),
      language_code: z.string().length(2).optional(),
      voice_settings: z
        .strictObject({
          stability: z.number().min(0).max(1).optional(),
          similarity_boost: z.number().min(0).max(1).optional(),
          style: z.number().optional(),
          speed: z.number().min(0.7).max(1.2).optional(),
          use_speaker_boost: z.boolean().optional(),
        })
        .optional(),
      seed: seed.optional(),
    }),
  },
  'sound-generation': {
    formats: z.enum([...mp3, ...opus]),
    body: z.strictObject({
      text: z.string().min(1).max(450),
      model_id: z.enum(['eleven_text_to_sound_v2']),
      duration_seconds: z.number().min(0.5).max(30).optional(),
      prompt_influence: z.number().min(0).max(1).optional(),
      loop: z.boolean().optional(),
    }),
  },
  music: {
    formats: z.enum([...mp3OfMusic, ...mp3, ...opus]),
    body: z.strictObject({
      prompt: z.string().min(1),
      model_id: z.enum(['music_v1', 'music_v2', 'music_v2_5']),
      music_length_ms: z.int().min(3_000).max(600_000).optional(),
      force_instrumental: z.boolean().optional(),
    }),
  },
}

/** The validation error of a request in ElevenLabs' format. */
export function unfit(issues: readonly z.core.$ZodIssue[]): object[] {
  return issues.map(({ path, message, code }) => ({ loc: ['body', ...path], msg: message, type: code }))
}
