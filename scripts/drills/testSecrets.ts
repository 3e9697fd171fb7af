import { parseArgs } from 'node:util'
import { postgresIn } from '../../test/support/chaos/machine.ts'
import { playSecretRotations } from '../../test/support/secrets/playSecretRotations.ts'
import { printLine } from './printLine.ts'

/**
 * Changes SECRET_KEY, SERVICE_TOKEN, the role and password of the database, the key of a vendor and the credentials of S3 on two servers and
 * two workers under load, one after another, as docs/operations.md says. Exits with 1 if a request was refused, or work was lost, doubled or
 * failed. `--starts` per second, `--postgres <folder>` for other PostgreSQL programs than those of the package.
 */
const { values } = parseArgs({ options: { starts: { type: 'string', default: '4' }, postgres: { type: 'string' } } })

const programs = await postgresIn(values.postgres)
const options = { programs, startsPerSecond: Number(values.starts), say: printLine }
const { rotations, findings, vendorEnds, refusedCredentials } = await playSecretRotations(options)
const broken = [
  ...rotations.flatMap(({ secret, refused }) => refused.map((words) => `${secret}: ${words}`)),
  ...Object.entries(vendorEnds).map(([state, count]) => `${count} generations of the vendor ended ${state}`),
  ...(['lost', 'duplicateStarts', 'creditsMismatch', 'missingEvents', 'gaps', 'broken'] as const)
    .filter((name) => findings[name] !== 0)
    .map((name) => `${name}: ${findings[name]}`),
  ...(refusedCredentials === 0 ? [] : [`${refusedCredentials} requests with a credential that was no longer accepted`]),
]
for (const words of broken.slice(0, 30)) printLine(`BROKEN: ${words}`)
printLine(
  broken.length === 0
    ? `every promise held: ${findings.started} started, ${findings.ready} ready`
    : `${broken.length} promises were broken`,
)
process.exitCode = broken.length === 0 ? 0 : 1
