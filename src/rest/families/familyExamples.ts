import type { PublicFamily } from '../../contract/shapes/family.ts'
import type { Example } from '../endpoint.ts'

const none = { min: 0, max: 0, mimeTypes: [] }
const expectedRunSeconds = { typical: 2, slow: 20 }
const outputFormat = { type: 'string', enum: ['mp3', 'wav'], default: 'mp3' }

const speech: PublicFamily = {
  id: 'sandbox-audio',
  name: 'Sandbox Audio',
  vendor: 'Atelier',
  description: 'Speaks the prompt.',
  available: true,
  tasks: ['text-to-speech'],
  outputType: 'audio',
  axes: [{ name: 'tier', label: 'Tier', values: ['basic', 'studio'], default: 'basic' }],
  variants: [
    {
      modelId: 'sandbox-audio.text-to-speech.basic',
      label: 'Basic voice',
      tasks: ['text-to-speech'],
      axes: { tier: 'basic' },
      inputs: {
        prompt: { required: true, maxLength: 5000 },
        images: { ...none, field: 'imageIds' },
        videos: { ...none, field: 'videoId' },
        audios: { ...none, field: 'audioIds' },
        models3d: { ...none, field: 'model3dIds' },
      },
      parameterNames: ['outputFormat'],
      parameters: { type: 'object', additionalProperties: false, required: [], properties: { outputFormat } },
      prices: [{ unit: 'thousand_characters', credits: 0.5, when: {} }],
      creditsFrom: 0.5,
      expectedRunSeconds,
    },
  ],
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', maxLength: 5000, description: 'The text to speak. At most 5,000 characters; sent at the top level.' },
      outputFormat,
    },
  },
  creditsFrom: 0.5,
  expectedRunSeconds,
  updatedAt: '2026-11-20T00:00:00.000Z',
}

export const familyExamples: Record<string, Example> = {
  open: { summary: 'A family that you can use', value: speech },
}

export const familyListExamples: Record<string, Example> = {
  locked: {
    summary: 'One family, which you cannot use now',
    value: { items: [{ ...speech, available: false, lockReason: 'temporarily_unavailable' }], nextCursor: null },
  },
}
