import { expect, test } from 'vitest'
import * as screens from '../../../../src/admin-ui/ui/feedback/askOperator.ts'
import * as service from '../../../../src/contract/refusals/askOperator.ts'

test('the screens and the refusals use the same text about the operator', () => {
  expect(screens.askOperator).toBe(service.askOperator)
  expect(screens.askOperatorTo('add some')).toBe(service.askOperatorTo('add some'))
})
