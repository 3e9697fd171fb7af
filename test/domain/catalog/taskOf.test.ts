import { expect, test } from 'vitest'
import { taskOf } from '../../../src/domain/catalog/taskOf.ts'

test('the task is the first one from media of the request, otherwise the first one from the prompt', () => {
  const tasks = ['upscale-image', 'text-to-image', 'image-to-image'] as const

  expect(taskOf({ tasks }, { imageIds: 1 })).toBe('upscale-image')
  expect(taskOf({ tasks }, {})).toBe('text-to-image')
  expect(taskOf({ tasks: ['lip-sync'] }, {})).toBe('lip-sync')
  expect(taskOf({ tasks: ['image-to-video', 'lip-sync'] }, { audioIds: 1 })).toBe('lip-sync')
})
