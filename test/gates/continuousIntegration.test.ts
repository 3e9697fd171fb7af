import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { memoryFolderOfTest } from '../support/release/docsOfReleases.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Step = { name?: string; uses?: string; run?: string; env?: Record<string, string> }
type Workflow = {
  on: object
  permissions: Record<string, string>
  jobs: Record<
    string,
    { if?: string; 'timeout-minutes'?: number; needs?: string | string[]; permissions?: Record<string, string>; steps: Step[] }
  >
}

const workflow = parse(read('.github/workflows/ci.yml')) as Workflow
const nightly = parse(read('.github/workflows/nightly.yml')) as Workflow
const release = parse(read('.github/workflows/release.yml')) as Workflow
const jobs = Object.values(workflow.jobs)
const stepsOf = (each: Workflow) => Object.values(each.jobs).flatMap(({ steps }) => steps)

test('CI runs .ci/run on a push and on a pull request, with read-only permissions', () => {
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request'])
  expect(workflow.permissions).toEqual({ contents: 'read' })
  expect(jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))).toEqual(['.ci/run'])
})

test('the time limit of CI is the sum of the steps of .ci/run', () => {
  const seconds = [...read('.ci/run').matchAll(/^(?:if ! )?within (\d+) /gm)].map(([, each]) => Number(each))
  expect(seconds.length).toBe(5)
  const allowed = seconds.reduce((sum, each) => sum + each)
  for (const job of jobs) expect((job['timeout-minutes'] ?? 0) * 60).toBeGreaterThan(allowed)
})

test('the tests run in random order each night, with read-only permissions', () => {
  expect(nightly.on).toHaveProperty('schedule')
  expect(nightly.permissions).toEqual({ contents: 'read' })
  expect(stepsOf(nightly).flatMap(({ run }) => run ?? [])).toEqual(['npm ci && npm run test:order'])
})

test('a tag builds the artefacts with the image twice, and publishes what both builds have', () => {
  expect(Object.keys(release.on)).toEqual(['push', 'workflow_dispatch'])
  expect(release.on).toHaveProperty('push', { tags: ['v*'] })
  expect(release.permissions).toEqual({ contents: 'read' })
  const runs = stepsOf(release)
    .flatMap(({ run }) => run ?? [])
    .join('\n')
  const builds = runs.match(/npm run release -- --all --image "ghcr.io\S+" --earlier dist\/earlier --address "\$DOCS_ADDRESS" \S+/g)
  expect(builds).toHaveLength(2)
  expect(runs).toContain('diff dist/release/SHA256SUMS dist/second/SHA256SUMS')
})

test('the jobs that publish a release run no code of the sources, and only after the artefacts are built', () => {
  const { artefacts, ...publishing } = release.jobs
  expect(artefacts?.permissions).toEqual({ contents: 'read' })
  expect(Object.entries(publishing).map(([name, { needs }]) => [name, needs])).toEqual([
    ['image', 'artefacts'],
    ['publish', 'image'],
  ])
  const steps = Object.values(publishing).flatMap((job) => job.steps)
  expect(steps.flatMap(({ uses, run }) => uses ?? run ?? '').join('\n')).not.toMatch(
    /actions\/checkout|setup-node|npm|python|build(?:ah|x) /,
  )
})

test('the image that is pushed is the one of the archive that both builds have, by the digest of the release notes', () => {
  const [push = ''] = release.jobs['image']?.steps.flatMap(({ run }) => run ?? []) ?? []
  expect(push).toMatch(/skopeo copy --all --preserve-digests --digestfile digest "oci-archive:dist\/release\/atelier-image-\$version.tar"/)
  expect(push).toContain('grep --fixed-strings "$image@$(cat digest)" dist/release/release-notes.md')
})

test('the workflow publishes nothing when it is started by hand', () => {
  const isForTags = "github.event_name == 'push'"
  const { artefacts, ...others } = release.jobs
  expect(Object.values(others).map((job) => job.if)).toEqual([isForTags, isForTags])
  expect(artefacts?.permissions).toEqual({ contents: 'read' })
})

test('only the step that reads earlier releases has the token in the job that runs packages', () => {
  const steps = release.jobs['artefacts']?.steps ?? []
  const withToken = steps.filter(({ env, run }) => JSON.stringify([env, run]).includes('github.token'))
  expect(withToken.map(({ name }) => name)).toEqual(['Docs of earlier releases'])
  expect(withToken.map(({ run }) => run).join('')).not.toMatch(/npm (?:ci|run)|pip/)
})

test('the site of the docs gets the archives of all earlier releases that have one, and not that of this version', async () => {
  const folder = await memoryFolderOfTest()
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const script = release.jobs['artefacts']?.steps.find(({ name }) => name === 'Docs of earlier releases')?.run ?? ''
  const gh = `#!/bin/bash -e
case "$1 $2 $3" in
  'release list --repo') printf '%s\\n' v${version} v0.2.0 v0.1.0 ;;
  'release view v0.2.0') printf '%s\\n' SHA256SUMS atelier-docs-0.2.0.tar.gz atelier-docs-site-0.2.0.tar.gz ;;
  'release view v0.1.0') echo SHA256SUMS ;;
  'release download v0.2.0') [ "$6 $7" = '--pattern atelier-docs-0.2.0.tar.gz' ] && touch "$9/$7" ;;
  *) exit 1 ;;
esac
`
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }))
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    GITHUB_REPOSITORY: 'example/atelier',
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  }
  execFileSync('bash', ['-e', '-c', script], { cwd: folder, env, stdio: 'pipe' })
  expect(readdirSync(join(folder, 'dist/earlier'))).toEqual(['atelier-docs-0.2.0.tar.gz'])
  expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe('v0.1.0 has no docs\n')
})

test('actions are pinned to a commit', () => {
  const used = [...stepsOf(workflow), ...stepsOf(nightly), ...stepsOf(release)].flatMap(({ uses }) => uses ?? [])
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
})
