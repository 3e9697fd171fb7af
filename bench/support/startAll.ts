import type { Fixture } from './fixture.ts'

/** Starts `count` generations on the service at `url`, 50 at a time; returns their identifiers. */
export async function startAll(url: string, { key }: Pick<Fixture, 'key'>, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ familyId: 'bench-image', prompt: 'a lighthouse' })
  const start = async () => {
    const response = await fetch(`${url}/api/v1/generations`, { method: 'POST', headers, body })
    return ((await response.json()) as { generationId: string }).generationId
  }
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 50 }, start))))
  return ids
}
