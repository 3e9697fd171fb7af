import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Step = { uses?: string; run?: string }
type Workflow = {
  on: object
  permissions: Record<string, string>
  jobs: Record<string, { 'timeout-minutes'?: number; needs?: string | string[]; permissions?: Record<string, string>; steps: Step[] }>
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

test('a tag builds the artefacts twice and publishes what both builds have, from base images by digest', () => {
  expect(release.on).toEqual({ push: { tags: ['v*'] } })
  expect(release.permissions).toEqual({ contents: 'read' })
  const runs = stepsOf(release)
    .flatMap(({ run }) => run ?? [])
    .join('\n')
  expect(runs.match(/npm run release -- --all \S+/g)).toHaveLength(2)
  expect(runs).toContain('diff dist/release/SHA256SUMS dist/second/SHA256SUMS')
  expect(runs).toMatch(/--build-arg "NODE_IMAGE=\$node" --build-arg "DEBIAN_IMAGE=\$debian"/)
})

test('the job that publishes a release runs no code of the sources, and nothing is pushed before the artefacts are built', () => {
  const { artefacts, publish, image } = release.jobs
  expect(artefacts?.permissions).toEqual({ contents: 'read' })
  const writing = Object.entries(release.jobs).filter(([, { permissions }]) => permissions?.['contents'] === 'write')
  expect(writing.map(([name]) => name)).toEqual(['publish'])
  expect(publish?.steps.flatMap(({ uses, run }) => uses ?? run ?? '').join('\n')).not.toMatch(/actions\/checkout|setup-node|npm|python/)
  expect([publish?.needs, image?.needs]).toEqual(['artefacts', 'artefacts'])
})

test('actions are pinned to a commit', () => {
  const used = [...stepsOf(workflow), ...stepsOf(nightly), ...stepsOf(release)].flatMap(({ uses }) => uses ?? [])
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
})
