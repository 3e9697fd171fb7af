import { expect, test } from 'vitest'
import { resultFileName } from '../../src/contract/resultFileName.ts'
import { mimeTypesOfMedium } from '../../src/contract/shapes/media.ts'

test('each supported content type has its own extension, others have .bin', () => {
  const names = Object.values(mimeTypesOfMedium)
    .flat()
    .map((mimeType) => resultFileName('gen_x', mimeType))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^gen_x\.[a-z0-9]{3,4}$/.test(name) || name.endsWith('.bin'))).toEqual([])
  for (const unknown of ['application/x-else', null, undefined]) expect(resultFileName('gen_x', unknown)).toBe('gen_x.bin')
})
