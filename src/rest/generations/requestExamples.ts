import { callerFieldExamples } from '../../contract/shapes/callerFields.ts'
import type { Example } from '../endpoint.ts'

/** Bodies for the sandbox families. */
export const requestExamples: Record<string, Example> = {
  image: {
    summary: 'An image from a prompt',
    value: {
      familyId: 'sandbox-image',
      prompt: 'A lighthouse at dusk',
      axes: { version: 'standard' },
      parameters: { width: 768, height: 512 },
      maxCredits: 5,
      ...callerFieldExamples,
    },
  },
  speech: { summary: 'Speech', value: { familyId: 'sandbox-audio', prompt: 'Good morning, and welcome to the studio.' } },
}

export const batchRequestExamples: Record<string, Example> = {
  images: {
    summary: 'Two images for at most 5 credits together',
    value: {
      items: [
        { familyId: 'sandbox-image', prompt: 'A lighthouse at dawn', ...callerFieldExamples },
        { familyId: 'sandbox-image', prompt: 'A lighthouse at dusk' },
      ],
      maxCredits: 5,
    },
  },
}
