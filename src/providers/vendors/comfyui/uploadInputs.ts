import type { Failure } from '../../../contract/failures/failures.ts'
import { type FormatName, mediaFormats } from '../../../media/mediaFormats.ts'
import { getTextAtPath } from '../../connector/jsonPath.ts'
import { multipart } from '../../connector/multipart.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'
import type { JobSpec, ProviderContext, ProviderInput, Submitted } from '../../provider.ts'

type Uploaded = { kind: 'names'; names: string[] } | Extract<Submitted, { kind: 'busy' | 'failed' }>

const folder = 'atelier'

const endings = new Map<string, string>((Object.keys(mediaFormats) as FormatName[]).map((name) => [mediaFormats[name].mimeType, name]))

/**
 * Uploads the inputs to the folder that nodes read, and returns their names there, in order. Names begin with the prompt id, so that only
 * a repeat overwrites them. Costs nothing and starts nothing.
 */
export async function uploadInputs(ask: VendorClient, spec: JobSpec, promptId: string, context: ProviderContext): Promise<Uploaded> {
  const names: string[] = []
  for (const [index, input] of spec.inputs.entries()) {
    const name = `${promptId}-${index}.${endings.get(input.mimeType) ?? 'bin'}`
    const answer = await upload(ask, input, name, context)
    const refused = submitRefusal(answer, { now: context.clock.now(), isOwnError: true })
    if (refused) return refused.kind === 'failed' ? { kind: 'failed', failure: failureOf(answer, input, refused.failure) } : refused
    names.push(nameOf(answer) ?? `${folder}/${name}`)
  }
  return { kind: 'names', names }
}

function upload(ask: VendorClient, input: ProviderInput, fileName: string, { signal }: ProviderContext): Promise<VendorAnswer> {
  const form = multipart(
    [
      { name: 'image', fileName, input },
      { name: 'subfolder', value: folder },
      { name: 'type', value: 'input' },
      { name: 'overwrite', value: 'true' },
    ],
    fileName,
  )
  return ask.json({ method: 'POST', path: '/upload/image', headers: form.headers, body: form.body, signal })
}

/** The name as nodes take it, with the folder. */
function nameOf({ body }: VendorAnswer): string | undefined {
  const name = getTextAtPath(body, 'name')
  const subfolder = getTextAtPath(body, 'subfolder')
  return name !== undefined && subfolder ? `${subfolder}/${name}` : name
}

function failureOf({ status }: VendorAnswer, input: ProviderInput, otherwise: Failure): Failure {
  if (status === 413) return { code: 'file_size', reason: 'file_too_large', details: { actualBytes: input.sizeBytes } }
  if (status === 400 || status === 422) return { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  return otherwise
}
