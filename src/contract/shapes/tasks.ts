import { z } from 'zod'
import type { Medium } from './media.ts'
import type { OutputType } from './outputTypes.ts'

/** The output type of a task, and its possible input media; a task without sources needs only a prompt. */
type TaskRule = { outputType: OutputType; sources: readonly Medium[] }

/** The tasks of the catalog, in the order of the contract. Contract: docs/contract.md#tasks-and-output-types. */
export const taskTable = {
  'text-to-image': { outputType: 'image', sources: [] },
  'image-to-image': { outputType: 'image', sources: ['images'] },
  inpaint: { outputType: 'image', sources: ['images'] },
  'upscale-image': { outputType: 'image', sources: ['images'] },
  'remove-background': { outputType: 'image', sources: ['images'] },
  'text-to-video': { outputType: 'video', sources: [] },
  'image-to-video': { outputType: 'video', sources: ['images'] },
  'video-to-video': { outputType: 'video', sources: ['videos'] },
  'upscale-video': { outputType: 'video', sources: ['videos'] },
  'lip-sync': { outputType: 'video', sources: ['videos', 'images', 'audios'] },
  'text-to-speech': { outputType: 'audio', sources: [] },
  'text-to-audio': { outputType: 'audio', sources: [] },
  'text-to-music': { outputType: 'audio', sources: [] },
  'audio-to-audio': { outputType: 'audio', sources: ['audios'] },
  'text-to-3d': { outputType: 'model3d', sources: [] },
  'image-to-3d': { outputType: 'model3d', sources: ['images'] },
  'retexture-3d': { outputType: 'model3d', sources: ['models3d'] },
} as const satisfies Record<string, TaskRule>

export type Task = keyof typeof taskTable
export const tasks = Object.keys(taskTable) as [Task, ...Task[]]

/** The task of a model. Contract: docs/contract.md#tasks-and-output-types. */
export const task = z.enum(tasks).meta({ id: 'Task', description: 'The task of a model.' })
