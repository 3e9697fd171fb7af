import { expect, test } from 'vitest'
import { printedPhases, printsPhases } from '../../../src/cli/boot/startPhases.ts'

test('each step of a start is one line with its time, and the log writes only warnings until the end', async () => {
  const written: string[] = []
  const log = { level: 'info' }
  const phases = printedPhases({ log, write: (text) => written.push(text), title: 'Atelier 1.2.3' })
  const result = await phases.run({ name: 'catalog', run: async () => 31, describe: (count) => `${count} families` })
  expect(result).toBe(31)
  expect(log.level).toBe('warn')
  expect(written.join('')).toMatch(/^Atelier 1\.2\.3\n {2}catalog {3}31 families +0\.0 s\n$/)
  phases.end()
  expect(log.level).toBe('info')
})

test('a step that fails prints nothing and throws', async () => {
  const written: string[] = []
  const phases = printedPhases({ log: { level: 'info' }, write: (text) => written.push(text), title: 'Atelier' })
  const failing = phases.run({ name: 'database', run: async () => Promise.reject(new Error('no disk')), describe: () => 'created' })
  await expect(failing).rejects.toThrow('no disk')
  expect(written).toEqual(['Atelier\n'])
})

test('steps are printed only if the log is text at the level info', () => {
  expect(printsPhases({ logLevel: 'info' }, true)).toBe(true)
  expect(printsPhases({ logLevel: 'debug' }, true)).toBe(false)
  expect(printsPhases({ logLevel: 'silent' }, true)).toBe(false)
  expect(printsPhases({ logLevel: 'info' }, false)).toBe(false)
})
