import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { addressesIn } from './caseInvariants.ts'
import type { Lab } from './lab.ts'
import type { VendorCase } from './vendorCase.ts'

/** Every input of the sample was uploaded to the vendor, is inside the accepted request, or is fetched through our link in it. */
export async function inputsReached(lab: Lab, { fake }: VendorCase, medium: OutputType): Promise<void> {
  const { inputs } = await lab.requestOf(lab.underTest.requests[medium] ?? { familyId: '' })
  const bodies = fake.accepted.map(({ body }) => body)
  const { publicUrl } = lab.app.services.settings
  const links = addressesIn(bodies).filter((address) => address.startsWith(`${publicUrl}/`))
  // As if the name resolved to this server.
  const fetched = await Promise.all(links.map(async (link) => bytesAt(link.replace(publicUrl, lab.app.origin))))
  for (const link of links) expect(link, 'a link that carries no key').not.toContain(lab.team.value)
  const reached = new Set([...(fake.uploaded ?? []), ...inlineIn(bodies), ...fetched].map(digest))
  expect(inputs.map((input) => reached.has(digest(input)))).toEqual(inputs.map(() => true))
}

async function bytesAt(address: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(address)).arrayBuffer())
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Bytes, `data:` URIs and bare base64. */
function inlineIn(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value]
  if (typeof value === 'string') return inlineText(value)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inlineIn) : []
}

function inlineText(text: string): Buffer[] {
  const data = /^data:[^,]*;base64,/.exec(text)
  const content = data ? text.slice(data[0].length) : text
  return content.length > 64 && /^[A-Za-z0-9+/]+=*$/.test(content) ? [Buffer.from(content, 'base64')] : []
}
