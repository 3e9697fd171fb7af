import { z } from 'zod'

/** The output types of families; `text` exists only in the history. */
export const outputTypes = ['image', 'video', 'audio', 'model3d'] as const
export type OutputType = (typeof outputTypes)[number]

/** The output type of a family. */
export const outputType = z.enum(outputTypes).meta({ id: 'OutputType', description: 'The media type that a family generates.' })
