import { parseArgs } from 'node:util'
import { noProgress, type ShowProgress } from '../../database/progress.ts'
import { findLostObjects, type LostObject, type ObjectsFound, sampleObjects } from '../../domain/backups/lostObjects.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'

export const objectsUsage = `atelier doctor objects [--after <key>] [--embedded]

Checks that the storage has every object that the database names, with the right size, and prints lost objects; exits with 1 if there are any.
It prints its progress; --after continues after a printed key. Lost objects that a backup has are restored with
atelier restore --objects-only --from <backup>. Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR.
`

/** Prints lost objects; returns 2 for wrong arguments. Read-only. */
export async function doctorObjects(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(objectsUsage)
    return 2
  }
  const config = await readCommandConfig('doctor', asked)
  printDatabase(config)
  const { services, close } = await openForCommand(config)
  try {
    const context = contextFor(services, { kind: 'system' })
    let printed = 0
    const found = await findLostObjects(context, {
      after: asked.after,
      onPage(key, { looked, lost }) {
        for (const each of lost.slice(printed)) printLine(`lost: ${describe(each)}`)
        printed = lost.length
        printLine(`checked ${looked} objects, up to ${key}`)
      },
    })
    if (found.lostCount > printed) printLine(`and ${found.lostCount - printed} more are lost`)
    printLine(found.lostCount === 0 ? 'every object exists' : `${found.lostCount} of ${found.looked} objects are lost`)
    return found.lostCount === 0 ? 0 : 1
  } finally {
    await close()
  }
}

/** Returns a line for `doctor`. Throws with the names of lost objects. */
export async function describeLostObjects(services: Services, which: 'all' | 'some', showProgress = noProgress): Promise<string> {
  const context = contextFor(services, { kind: 'system' })
  const found: ObjectsFound = which === 'all' ? await findAllLost(context, showProgress) : await sampleObjects(context)
  const { looked, lostCount, lost } = found
  if (lostCount === 0) return which === 'all' ? `all ${looked} exist` : `${looked} checked objects exist; doctor objects checks all`
  const named = lost.slice(0, 10).map(describe).join('; ')
  throw new Error(`${lostCount} of ${looked} are lost: ${named}${lostCount > 10 ? ', …' : ''}`)
}

async function findAllLost(context: Context, showProgress: ShowProgress): Promise<ObjectsFound> {
  const shown = showProgress({ label: '', unit: 'objects', total: undefined })
  let before = 0
  return findLostObjects(context, {
    onPage(_, { looked }) {
      shown.add(looked - before)
      before = looked
    },
  })
}

/** Describes a lost object; the middle part of the key is the identifier of its owner. */
function describe({ key, sizeBytes, foundBytes }: LostObject): string {
  const [kind, id] = key.split('/')
  const what = kind === 'files' ? `the content of file ${id}` : kind === 'made' ? `what a vendor sent for ${id}` : `the result of ${id}`
  return `${key}, ${what}, ${foundBytes === undefined ? 'is missing' : `has ${foundBytes} bytes instead of ${sizeBytes}`}`
}

function readArguments(args: string[]): { after: string | undefined; embedded: boolean } | undefined {
  try {
    const { after, embedded } = parseArgs({ args, options: { after: { type: 'string' }, ...embeddedOption } }).values
    return after === undefined || /^(files|made|results)\/[a-z0-9_]+\//.test(`${after}/`) ? { after, embedded } : undefined
  } catch {
    return undefined
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
