import { deepStrictEqual } from 'node:assert'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Services } from '../../../src/domain/context.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { statement } from '../../../src/domain/sql.ts'
import type { Asked } from '../app.ts'
import { isoBox } from '../media/isoBox.ts'
import { sampleFile } from '../media/sampleFile.ts'

const boundary = 'a-boundary'

export type FormPart = { name: string; content: Buffer | string; headers?: string[] }

/** A form with these parts, for `app.ask`. */
export function form(...parts: FormPart[]): Asked {
  return { body: formBody(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** A form with one part `file`. */
export function fileForm(content: Buffer, ...others: FormPart[]): Asked {
  return form({ name: 'file', content, headers: ['Content-Type: application/octet-stream'] }, ...others)
}

function formBody(parts: FormPart[]): Buffer {
  const pieces = parts.map(({ name, content, headers = [] }) => {
    const fileName = name === 'file' ? '; filename="a name"' : ''
    const lines = [`--${boundary}`, `Content-Disposition: form-data; name="${name}"${fileName}`, ...headers, '', '']
    return Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(content as string), Buffer.from('\r\n')])
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

/** A playable MP4 of exactly this size, padded with a free box. */
export async function mp4Of(sizeBytes: number): Promise<Buffer> {
  const sample = await sampleFile('mp4')
  return Buffer.concat([sample, isoBox('free', Buffer.alloc(sizeBytes - sample.length - 8))])
}

const fileCount = statement<{ count: string }>('test_file_count', 'select count(*) from files')

/** Remains of uploads: rows, temporary files, objects. */
export async function traces({ settings, ...services }: Services): Promise<{ rows: number; temporary: string[]; objects: number }> {
  const row = await contextFor({ settings, ...services }, { kind: 'system' }).sql.one(fileCount, [])
  const storageFolder = join(settings.temporaryFolder, '..', 'storage')
  const stored = await readdir(storageFolder, { recursive: true, withFileTypes: true }).catch(() => [])
  return {
    rows: Number(row?.count),
    temporary: await readdir(settings.temporaryFolder),
    objects: stored.filter((entry) => entry.isFile()).length,
  }
}

/** Fails the running test if uploads left anything; waits briefly for pending removals. */
export async function requireNoTraces(services: Services): Promise<void> {
  await vi.waitFor(async () => deepStrictEqual(await traces(services), { rows: 0, temporary: [], objects: 0 }), { timeout: 5000 })
}
