import type { Storage } from '../storage/storage.ts'
import { type Manifest, readIndex, readManifest } from './manifest.ts'

/** Returns the complete snapshot with that name, by default the newest. Rejects with a RangeError if there is none. */
export async function chooseSnapshot(storage: Storage, name: string | undefined): Promise<Manifest> {
  const whole = (await readIndex(storage)).filter(({ isWhole }) => isWhole)
  if (whole.length === 0) throw new RangeError('there is no complete backup')
  const chosen = name === undefined ? whole.at(-1) : whole.find((snapshot) => snapshot.name === name)
  const manifest = chosen && (await readManifest(storage, chosen.name))
  if (manifest) return manifest
  throw new RangeError(`there is no complete snapshot ${name ?? chosen?.name}: choose one of ${whole.map((each) => each.name).join(', ')}`)
}
