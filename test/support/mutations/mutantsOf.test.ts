import { expect, test } from 'vitest'
import { mutantsOf } from './mutantsOf.ts'

const changesOf = (text: string, language: 'sql' | 'ts') => mutantsOf(text, language).map(({ line, to }) => `${line}: ${to}`)

test('each operator of a line is broken once, and a statement of one line is removed', () => {
  expect(changesOf('begin\n  update a set held = held - c where id = x;\nend', 'sql')).toEqual([
    '2: update a set held = held + c where id = x;',
    '2: update a set held = held - c where id <> x;',
    '2: null;',
  ])
  expect(changesOf('select * from a', 'sql')).toEqual([])
  expect(changesOf('const isOver = spent + held > ceiling && isOpen', 'ts')).toEqual([
    '1: const isOver = spent - held > ceiling && isOpen',
    '1: const isOver = spent + held <= ceiling && isOpen',
    '1: const isOver = spent + held > ceiling || isOpen',
  ])
})

test('comments, imports and types are left alone, and the other lines of a break are as they were', () => {
  const text = "import { a } from './a.ts'\n// a < b && c\ntype A = { b: true }\nreturn a < b"
  const mutants = mutantsOf(text, 'ts')
  expect(mutants.map(({ line }) => line)).toEqual([4])
  expect(mutants[0]?.text).toBe(text.replace('return a < b', 'return a >= b'))
})
