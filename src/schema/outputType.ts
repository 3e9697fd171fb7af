import { outputTypes } from '../contract/outputTypes.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'

export const OutputTypeEnum = builder.enumType('OutputType', {
  description: 'What comes out. TEXT stands in the history alone.',
  values: enumValues([...outputTypes, 'text']),
})
