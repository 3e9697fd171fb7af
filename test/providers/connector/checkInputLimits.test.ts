import { expect, test } from 'vitest'
import { checkInputLimits } from '../../../src/providers/connector/checkInputLimits.ts'
import type { JobLimits } from '../../../src/providers/provider.ts'
import { input, job } from '../sandbox/sandboxJobs.ts'

const none = { mimeTypes: [] }
const limits: JobLimits = {
  prompt: { maxLength: 3 },
  images: { mimeTypes: ['image/png'], minBytes: 2, maxBytes: 4, minWidth: 10, maxWidth: 100, maxHeight: 50, maxAspectRatio: 4 },
  videos: { mimeTypes: ['video/mp4'], maxDurationSeconds: 5 },
  audios: none,
  models3d: none,
}
const picture = (parts = {}) => input(Buffer.alloc(3), { width: 20, height: 20, ...parts })
const video = (parts = {}) => picture({ field: 'videoIds', mimeType: 'video/mp4', durationSeconds: 5, ...parts })

test.each([
  [{ prompt: 'four' }, 'prompt_too_long', { maxLength: 3, actualLength: 4 }],
  [{ inputs: [picture({ sizeBytes: 5 })] }, 'file_too_large', { maxBytes: 4, actualBytes: 5 }],
  [{ inputs: [picture(), picture({ sizeBytes: 1 })] }, 'file_too_small', { minBytes: 2, actualBytes: 1 }],
  [{ inputs: [picture({ mimeType: 'image/gif' })] }, 'image_unreadable', undefined],
  [{ inputs: [picture({ width: 101 })] }, 'image_too_large', { maxWidth: 100, maxHeight: 50, width: 101, height: 20 }],
  [{ inputs: [picture({ width: 9 })] }, 'image_too_small', { minWidth: 10, width: 9, height: 20 }],
  [{ inputs: [picture({ width: 81 })] }, 'aspect_ratio_rejected', { maxAspectRatio: 4, width: 81, height: 20 }],
  [{ inputs: [video({ durationSeconds: 5.5 })] }, 'input_rejected_by_model', undefined],
  [{ inputs: [video({ mimeType: 'video/webm' })] }, 'input_rejected_by_model', undefined],
])('%j fails as %s, with the numbers', (parts, reason, details) => {
  const verdict = checkInputLimits(job({ limits, prompt: 'now', ...parts }))
  expect(verdict).toMatchObject({ reason })
  expect(verdict?.details).toEqual(details)
})

test('inputs within the limits, and inputs of unknown size, pass', () => {
  const inputs = [picture(), picture({ width: null, height: null }), video({ durationSeconds: null })]
  expect(checkInputLimits(job({ limits, prompt: '😀😀😀', inputs }))).toBeUndefined()
})
