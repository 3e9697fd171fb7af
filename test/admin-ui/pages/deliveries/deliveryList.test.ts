import { expect, test } from 'vitest'
import type { Delivery, DeliveryPage } from '../../../../src/admin-ui/pages/deliveries/deliveriesQuery.ts'
import {
  countNew,
  type DeliveryList,
  listOf,
  withFirstPage,
  withNextPage,
  withUpdates,
} from '../../../../src/admin-ui/pages/deliveries/deliveryList.ts'

/** Deliveries by number; a higher number is newer. */
function rowsOf(numbers: readonly number[], state: Delivery['state'] = 'DELIVERED'): Delivery[] {
  return numbers.map((number) => ({
    id: `evt_${number}`,
    kind: 'WEBHOOK',
    event: 'GENERATION_COMPLETED',
    eventNumber: number,
    isTest: false,
    time: new Date(number * 1000).toISOString(),
    state,
    attempts: 1,
    responseCode: 204,
    refusalText: null,
    responseSnippet: null,
    nextAttemptAt: null,
    subscriptionId: 'hook_1',
    address: 'https://example.com',
  }))
}

function pageOf(
  numbers: readonly number[],
  { hasNextPage = true, state }: { hasNextPage?: boolean; state?: Delivery['state'] } = {},
): DeliveryPage {
  return { nodes: rowsOf(numbers, state), pageInfo: { hasNextPage, endCursor: `after ${numbers.at(-1)}` } }
}

const numbersOf = ({ rows }: DeliveryList) => rows.map(({ eventNumber }) => eventNumber)
const shown = withNextPage(listOf(pageOf([9, 8, 7])), pageOf([6, 5, 4]))

test('the next page is appended, and a row in both pages appears once', () => {
  expect(shown).toMatchObject({ endCursor: 'after 4', hasMore: true })
  expect(numbersOf(withNextPage(shown, pageOf([4, 3], { hasNextPage: false })))).toEqual([9, 8, 7, 6, 5, 4, 3])
})

test('new rows appear above the loaded ones, which keep their cursor', () => {
  const after = withFirstPage(shown, pageOf([11, 10, 9]))
  expect(numbersOf(after)).toEqual([11, 10, 9, 8, 7, 6, 5, 4])
  expect(after.endCursor).toBe('after 4')
})

test('rows that no longer match the filter are removed, as far as the first page shows', () => {
  expect(numbersOf(withFirstPage(shown, pageOf([9, 7, 6])))).toEqual([9, 7, 6, 5, 4])
  expect(numbersOf(withFirstPage(shown, pageOf([9, 7], { hasNextPage: false })))).toEqual([9, 7])
  expect(numbersOf(withFirstPage(shown, pageOf([], { hasNextPage: false })))).toEqual([])
})

test('when more rows are new than a page has, rows below the gap are dropped', () => {
  const after = withFirstPage(shown, pageOf([30, 29, 28]))
  expect(numbersOf(after)).toEqual([30, 29, 28])
  expect(after).toMatchObject({ endCursor: 'after 28', hasMore: true })
})

test('loaded rows are updated in place', () => {
  const after = withUpdates(shown, pageOf([10, 9, 8], { state: 'FAILED' }).nodes)
  expect(after.rows.map(({ eventNumber, state }) => `${eventNumber} ${state}`).slice(0, 3)).toEqual(['9 FAILED', '8 FAILED', '7 DELIVERED'])
  expect(numbersOf(after)).toEqual([9, 8, 7, 6, 5, 4])
})

test('only rows newer than all loaded rows count as new', () => {
  expect(countNew(shown, pageOf([12, 11, 9, 3]))).toBe(2)
  expect(countNew(listOf(pageOf([])), pageOf([2, 1]))).toBe(2)
})
