import { writeFile } from 'node:fs/promises'
import type { Family } from '../../openapi.ts'
import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { packageManifest } from '../packageManifest.ts'
import { saveTargetOf } from '../saveTarget.ts'
import { familyTypes } from '../types/familyTypes.ts'
import { UsageError } from '../usageError.ts'

/** Writes types of the families for programs in TypeScript. */
export const types: Command = {
  name: 'types',
  usage: ['[-o <path>]'],
  summary: 'write TypeScript types of axes, variants and parameters of all families',
  about: `Requests of the client are then checked for each family. Write the file again when the catalog changes.
Without -o it goes to standard output.`,
  options: {
    output: { type: 'string', short: 'o', value: '<path>', help: 'write to this file, for example src/atelierFamilies.ts' },
    force: { type: 'boolean', help: 'overwrite an existing file' },
    package: { type: 'string', value: '<name>', help: 'the name under which programs import the client; default: its own name' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    if (output.isJson) throw new UsageError('types writes TypeScript. Use families --json for JSON.')
    const target = await saveTargetOf(given)
    if (target?.kind === 'folder') throw new UsageError('-o takes the path of a file.')
    const packageName = given.text('package') ?? (await packageManifest()).name
    const client = await connect(invocation)
    const families: Family[] = []
    for await (const family of client.families({ signal: context.interrupted })) families.push(family)
    const text = familyTypes(families, { packageName, source: client.baseUrl })
    if (target?.kind !== 'file') {
      context.stdout.write(text)
      return
    }
    const path = given.text('output') ?? ''
    await writeFile(path, text, { flag: target.mayReplace ? 'w' : 'wx' })
    output.data(path)
    output.note(`Types of ${families.length} ${families.length === 1 ? 'family' : 'families'}.`)
  },
}
