import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { nameImage } from '../../../../scripts/release/image/nameImage.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')
const digest = `sha256:${'ab'.repeat(32)}`

type Compose = { services: Record<string, { image: string; build?: object }> }
type Kustomization = { images: object[] }

test('the deployment files of a release name its image by digest, and compose has nothing to build', async () => {
  const { compose, kustomization, version } = await named('ghcr.io/example/atelier')
  expect(kustomization.images).toEqual([{ name: 'atelier', newName: 'ghcr.io/example/atelier', digest }])
  expect(compose.services['public']).toMatchObject({ image: `\${ATELIER_IMAGE:-ghcr.io/example/atelier:${version}@${digest}}` })
  expect(Object.values(compose.services).filter(({ build }) => build !== undefined)).toEqual([])
})

test('without a repository, kustomize has the digest, which is the same in every registry, and compose the version', async () => {
  const { compose, kustomization, version } = await named(undefined)
  expect(kustomization.images).toEqual([{ name: 'atelier', digest }])
  expect(compose.services['public']).toMatchObject({ image: `\${ATELIER_IMAGE:-atelier:${version}}` })
})

async function named(repository: string | undefined) {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-named-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(deploy, join(folder, 'deploy'), { recursive: true })
  const read = (name: string) => readFile(join(folder, 'deploy', name), 'utf8')
  const [{ newTag: version }] = (parse(await read('kubernetes/kustomization.yaml')) as { images: [{ newTag: string }] }).images
  await nameImage(folder, { repository, digest })
  return {
    version,
    kustomization: parse(await read('kubernetes/kustomization.yaml')) as Kustomization,
    compose: parse(await read('compose.yaml'), { merge: true }) as Compose,
  }
}
