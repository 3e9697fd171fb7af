import { outputTypes } from '../../contract/shapes/outputTypes.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'

export const OutputTypeEnum = builder.enumType('OutputType', {
  description: 'What comes out. TEXT stands in the history alone.',
  values: enumValues([...outputTypes, 'text']),
})
