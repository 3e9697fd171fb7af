import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { JobSpec, Provider, ProviderContext, ProviderInput } from '../../../src/providers/provider.ts'
import { undeclaredLimits } from '../../../src/providers/sandbox/modelLimits.ts'
import { makeSandboxProvider, type SandboxOptions } from '../../../src/providers/sandbox/sandboxProvider.ts'
import { aProviderContext } from '../../support/generations/providerContext.ts'

export const somePrompt = 'A lighthouse at dusk, seen from the sea'

/** A job as the runner passes it, text-to-image by default. */
export function job(parts: Partial<JobSpec> = {}): JobSpec {
  return {
    idempotencyKey: 'attempt-1',
    familyId: 'sandbox-image',
    task: 'text-to-image',
    outputType: 'image',
    axes: {},
    prompt: somePrompt,
    parameters: { seed: 7 },
    inputs: [],
    limits: undeclaredLimits,
    settings: {},
    ...parts,
  }
}

export function input(bytes: Uint8Array, parts: Partial<ProviderInput> = {}): ProviderInput {
  return {
    field: 'imageIds',
    mimeType: 'image/png',
    sizeBytes: bytes.length,
    width: null,
    height: null,
    durationSeconds: null,
    open: async () => Readable.from([Buffer.from(bytes)]),
    link: () => 'https://atelier.example.com/r/input',
    ...parts,
  }
}

export const noon = new Date('2026-11-20T12:00:00.000Z')

export function context(parts: { now?: Date; signal?: AbortSignal } = {}): ProviderContext {
  const { signal = new AbortController().signal, now = noon } = parts
  return { ...aProviderContext({ now }).context, signal }
}

/** A sandbox with its own folder. */
export async function openSandbox(options: SandboxOptions = {}): Promise<{ sandbox: Provider; folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const sandbox = makeSandboxProvider({ folder, processes: 1, ...options })
  const close = async () => {
    await sandbox.close?.()
    await rm(folder, { recursive: true })
  }
  return { sandbox, folder, close }
}

/** Submits, collects and reads a job that succeeds at once. Returns its bytes. */
export async function render(sandbox: Provider, spec: JobSpec): Promise<{ bytes: Buffer; mimeType: string }> {
  const submitted = await sandbox.submit(spec, context())
  const output = submitted.kind === 'done' ? submitted.outputs[0] : undefined
  if (!output) throw new Error(`not done: ${JSON.stringify(submitted)}`)
  const collected = await sandbox.collect(output, spec, context())
  if (collected.state === 'failed') throw new Error(`failed: ${JSON.stringify(collected.failure)}`)
  return { bytes: await buffer(collected.stream), mimeType: collected.mimeType }
}
