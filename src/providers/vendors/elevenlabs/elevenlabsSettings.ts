import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import type { DeclaredModel, SettingsProblem } from '../../connector/vendor.ts'

/** Parameters in the URL instead of the body. */
export const urlParameters = { voice: 'voice_id', format: 'output_format' } as const

export const elevenlabsSettings = z.strictObject({
  /** The API path: `/v1/text-to-speech/{voice_id}`, `/v1/sound-generation` or `/v1/music`. */
  endpoint: z.enum(['text-to-speech', 'sound-generation', 'music']),
  model: z.string().min(1).max(200),
  ...fieldMap,
  /** US dollars per thousand credits of an answer. */
  usdPerThousandCredits: z.number().positive().optional(),
})
export type ElevenlabsSettings = z.output<typeof elevenlabsSettings>

export function checkElevenlabsModel(settings: ElevenlabsSettings, { outputType, inputs }: DeclaredModel): SettingsProblem[] {
  const media = (['images', 'videos', 'audios', 'models3d'] as const).filter((medium) => inputs[medium].max > 0)
  const speaks = settings.endpoint === 'text-to-speech'
  return [
    ...(outputType === 'audio' ? [] : [{ path: '', reason: `cannot make ${outputType}` }]),
    ...media.map((medium) => ({ path: 'inputs', reason: `cannot take ${medium}` })),
    ...(speaks && !setsVoice(settings) ? [{ path: '', reason: 'must set the voice with the place voice_id' }] : []),
  ]
}

function setsVoice({ parameters, axes, fixed }: ElevenlabsSettings): boolean {
  const places = [...Object.values(parameters), ...Object.values(axes)].map((to) => (typeof to === 'string' ? to : to.place))
  return [...places, ...Object.keys(fixed)].includes(urlParameters.voice)
}
