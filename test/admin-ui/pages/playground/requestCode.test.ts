import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { languages, requestCode } from '../../../../src/admin-ui/pages/playground/requestCode.ts'
import { nastyPrompts } from '../catalog/nastyPrompts.ts'

const origin = 'http://127.0.0.1:1'
const request = { origin, body: { familyId: 'f', modelId: 'm', prompt: 'x', parameters: { seed: 7, on: true } }, maxCredits: 2.5 }

test('the command line passes every prompt unchanged', () => {
  for (const prompt of nastyPrompts) {
    const code = requestCode('Command line', { ...request, body: { ...request.body, prompt } })
    const printed = execFileSync('sh', ['-c', code.replace('atelier-client', 'set --') + '\nfor last; do :; done; printf %s "$last"'], {
      encoding: 'utf8',
    })
    expect(printed).toBe(prompt)
  }
})

test('every language sends the same values', () => {
  expect(requestCode('TypeScript', request)).toContain('"seed": 7')
  expect(requestCode('Python', request)).toContain('parameters={"seed": 7, "on": True}')
  expect(requestCode('Python', request)).toContain('max_credits=2.5')
  expect(requestCode('Command line', request)).toContain(`-p 'seed:=7'`)
  for (const language of languages) expect(requestCode(language, request)).toContain('2.5')
})
