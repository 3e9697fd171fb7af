import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imageNotes, releaseNotes } from '../../../../scripts/release/artefacts/releaseNotes.ts'

const changelog =
  '# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- New.\n\n## 0.2.0 - 2026-11-24\n\n- Old.\n\n## 0.1.0\n\n- First.\n'

test('the notes of a version are its section, and of one without a section what is unreleased', () => {
  expect(releaseNotes(changelog, '0.2.0')).toBe('- Old.\n')
  expect(releaseNotes(changelog, '0.1.0')).toBe('- First.\n')
  expect(releaseNotes(changelog, '1.0.0')).toBe('### Added\n\n- New.\n')
})

test('a changelog without a section for the version is refused', () => {
  expect(() => releaseNotes('# Changelog\n\n## 0.2.0\n', '1.0.0')).toThrow('CHANGELOG.md has no section for 1.0.0')
})

test('this release has notes', () => {
  const root = join(import.meta.dirname, '../../../..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)).toMatch(/^### (?:Added|Changed|Fixed)$/m)
})

test('the notes name the image, the image of each platform and the base images by digest, or say that there is no image', () => {
  const manifests = [{ platform: 'linux/arm64', digest: 'sha256:22' }]
  const packed = { digest: 'sha256:11', manifests, bases: { node: 'node@sha256:33', debian: 'debian@sha256:44' } }
  const lines = (repository?: string) => imageNotes(packed, repository).split('\n')
  expect(lines('ghcr.io/example/atelier')).toContain('- `ghcr.io/example/atelier@sha256:11`')
  expect(lines()).toEqual(
    expect.arrayContaining(['- `sha256:11`', '- linux/arm64: `sha256:22`', '- built from `debian@sha256:44` with `node@sha256:33`']),
  )
  expect(imageNotes(undefined, undefined)).toContain('This release was made without an image.')
})
