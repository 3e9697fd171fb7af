import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables } from '../../src/config/variables.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

test.each([
  { file: 'deploy/kubernetes/work-generations.yaml', form: /terminationGracePeriodSeconds: (\d+)/ },
  { file: 'deploy/systemd/atelier-work@.service', form: /^TimeoutStopSec=(\d+)$/m },
  { file: 'deploy/compose.yaml', form: /command: \[work\]\n(?:\s+#.*\n)?\s+stop_grace_period: (\d+)s/ },
])('$file has a grace period of DRAIN_SECONDS plus 15 seconds for workers', ({ file, form }) => {
  expect(Number(form.exec(read(file))?.[1])).toBeGreaterThanOrEqual(Number(variables.DRAIN_SECONDS.otherwise) + 15)
})
