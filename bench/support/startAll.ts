import type { Fixture } from './fixture.ts'

type Started = { count: number; familyId?: string; atOnce?: number }

/** Starts `count` generations on the service at `url`, `atOnce` at a time; returns their identifiers. */
export async function startAll(
  url: string,
  { key }: Pick<Fixture, 'key'>,
  { count, familyId = 'bench-image', atOnce = 50 }: Started,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ familyId, prompt: 'a lighthouse' })
  const start = async () => {
    const response = await fetch(`${url}/api/v1/generations`, { method: 'POST', headers, body })
    return ((await response.json()) as { generationId: string }).generationId
  }
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - ids.length) }, start))))
  return ids
}
