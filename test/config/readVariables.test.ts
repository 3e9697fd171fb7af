import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readVariables } from '../../src/config/readVariables.ts'
import { vendors } from '../../src/providers/vendors.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const url = 'postgresql://u:p@db.internal:5432/atelier'
const read = (env: Record<string, string>) => readVariables(env, vendors)

test('a secret may be in the file that its variable with _FILE names, without the line end', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const files = {
    DATABASE_URL_FILE: await file('database', `${url}\n`),
    SECRET_KEY_FILE: await file('key', `${key}\n`),
    FAL_KEY_FILE: await file('fal', ' fal-key \r\n'),
  }
  expect(read(files)).toEqual(read({ DATABASE_URL: url, SECRET_KEY: key, FAL_KEY: 'fal-key' }))
  expect(() => read({ ...files, SECRET_KEY: key })).toThrow('SECRET_KEY and SECRET_KEY_FILE cannot both be set')
  expect(() => read({ SECRET_KEY_FILE: '/nowhere/key' })).toThrow('SECRET_KEY_FILE takes a file that can be read (ENOENT)')
  const wrong = await file('wrong', 'a secret text')
  expect(() => read({ SECRET_KEY_FILE: wrong })).toThrow(/^SECRET_KEY takes 32 bytes in base64, several separated by commas$/)
})
