import { setTimeout as pause } from 'node:timers/promises'
import type { Fixture } from './fixture.ts'

type Started = { count: number; familyId?: string; atOnce?: number }

/**
 * Starts `count` generations on the service at `url`, `atOnce` at a time; returns their identifiers. Repeats a start that finds the service
 * busy; throws on another refusal. The starts have no idempotency key, which would add 1.2 KB of WAL to each.
 */
export async function startAll(
  url: string,
  { key }: Pick<Fixture, 'key'>,
  { count, familyId = 'bench-image', atOnce = 50 }: Started,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ familyId, prompt: 'a lighthouse' })
  const start = async (): Promise<string> => {
    const response = await fetch(`${url}/api/v1/generations`, { method: 'POST', headers, body })
    if (response.ok) return ((await response.json()) as { generationId: string }).generationId
    const text = await response.text()
    if (response.status !== 503) throw new Error(`a start was refused: ${response.status} ${text}`)
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000)
    return start()
  }
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - ids.length) }, start))))
  return ids
}
