import { outputTypes } from '../../contract/shapes/outputTypes.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'

export const OutputTypeEnum = builder.enumType('OutputType', {
  description: 'The type of the result. TEXT occurs only in the history.',
  values: enumValues([...outputTypes, 'text']),
})
