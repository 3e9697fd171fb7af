import { expect, test } from 'vitest'
import { costsTable } from '../../../src/cli/doctor/doctorCosts.ts'
import { hundredths } from '../../../src/contract/hundredths.ts'

test('the table shows charges, costs and margin for each month and family, marked if a vendor reported no cost', () => {
  const rows = [
    { month: '2026-03', familyId: 'boat', made: 10, charged: hundredths(40_000), costUsd: 2.5, unreported: 0 },
    { month: '2026-02', familyId: 'kite-long-name', made: 2, charged: hundredths(600), costUsd: 0.0125, unreported: 1 },
    { month: '2026-01', familyId: 'kite', made: 0, charged: hundredths(0), costUsd: 0.01, unreported: 0 },
  ]
  expect(costsTable(rows, { creditsPerUsd: 100 })).toEqual([
    'month    family          made  credits  in USD  cost USD  unreported  margin USD  margin',
    '2026-03  boat              10   400.00    4.00      2.50           0        1.50     38%',
    '2026-02  kite-long-name     2     6.00    0.06      0.01           1       0.05?    79%?',
    '2026-01  kite               0     0.00    0.00      0.01           0       -0.01       -',
  ])
})
