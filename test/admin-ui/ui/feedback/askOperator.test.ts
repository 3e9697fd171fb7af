import { expect, test } from 'vitest'
import * as screens from '../../../../src/admin-ui/ui/feedback/askOperator.ts'
import * as service from '../../../../src/contract/refusals/askOperator.ts'

test('the screens say who can help in the words of the refusals', () => {
  expect(screens.askOperator).toBe(service.askOperator)
  expect(screens.askOperatorTo('add some')).toBe(service.askOperatorTo('add some'))
})
