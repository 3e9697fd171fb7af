import { columnsOf } from '../../database/columnsOf.ts'
import { Generation } from '../../entities/Generation.ts'

/** What is read of a generation, everywhere: the columns of its entity. */
export const generationColumns = columnsOf(Generation)
