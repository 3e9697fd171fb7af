import { z } from 'zod'

/** What comes out of a catalog family; `text` exists in history alone. */
export const outputTypes = ['image', 'video', 'audio', 'model3d'] as const
export type OutputType = (typeof outputTypes)[number]

/** What comes out of a family of the catalog. */
export const outputType = z.enum(outputTypes).meta({ id: 'OutputType', description: 'What comes out of a family.' })
