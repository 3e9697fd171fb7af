import type { Fixture } from './fixture.ts'

type Started = { count: number; familyId?: string }

/** Starts `count` generations on the service at `url`, 50 at a time; returns their identifiers. */
export async function startAll(
  url: string,
  { key }: Pick<Fixture, 'key'>,
  { count, familyId = 'bench-image' }: Started,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ familyId, prompt: 'a lighthouse' })
  const start = async () => {
    const response = await fetch(`${url}/api/v1/generations`, { method: 'POST', headers, body })
    return ((await response.json()) as { generationId: string }).generationId
  }
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: Math.min(50, count - ids.length) }, start))))
  return ids
}
