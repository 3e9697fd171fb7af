import type { Storage } from '../storage/storage.ts'
import { type Manifest, readIndex, readManifest } from './manifest.ts'

/** The whole snapshot of that name, the newest when none is given. Rejects with a RangeError when there is none. */
export async function chooseSnapshot(storage: Storage, name: string | undefined): Promise<Manifest> {
  const whole = (await readIndex(storage)).filter(({ isWhole }) => isWhole)
  if (whole.length === 0) throw new RangeError('there is no backup that came to its end')
  const chosen = name === undefined ? whole.at(-1) : whole.find((snapshot) => snapshot.name === name)
  const manifest = chosen && (await readManifest(storage, chosen.name))
  if (manifest) return manifest
  throw new RangeError(`there is no whole snapshot ${name ?? chosen?.name}: there are ${whole.map((each) => each.name).join(', ')}`)
}
