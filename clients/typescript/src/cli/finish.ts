import type { Atelier } from '../atelier.ts'
import { expectReady } from '../generations/expectReady.ts'
import type { Generation } from '../openapi.ts'
import type { Invocation } from './command.ts'
import { type ExitCode, exitCodes } from './exitCodes.ts'
import { saveResult } from './saveResult.ts'
import type { SaveTarget } from './saveTarget.ts'
import { describeEnd, describeResult } from './writeGeneration.ts'

/** Saves the result of an ended generation and reports it: path or link on standard output, a description on standard error. */
export async function finish(client: Atelier, { output, context }: Invocation, ended: Generation, target?: SaveTarget): Promise<ExitCode> {
  if (ended.state !== 'ready') {
    if (output.isJson) output.json(ended)
    output.warn(`${ended.generationId} ${ended.state}: ${describeEnd(ended)}`)
    return exitCodes.failed
  }
  const path = target ? await saveResult(client, expectReady(ended), target, context) : undefined
  if (output.isJson) output.json(ended)
  else if (path !== undefined) output.data(path)
  else if (!target) output.data(ended.result?.url ?? ended.result?.text ?? ended.generationId)
  output.note(`${ended.generationId}: ${describeResult(ended)}`)
  return exitCodes.ok
}
