import { useState } from 'react'

export type Draft<Fields> = {
  fields: Fields
  /** The last saved or loaded fields. */
  saved: Fields
  isChanged: boolean
  change(changed: Partial<Fields>): void
  /** Records that these fields were saved. The page may still show the earlier ones for a moment. */
  markSaved(sent: Fields): void
}

/** The fields of a form with loaded values. An untouched field shows the loaded value, also after another person changed it. */
export function useDraft<Fields extends object>(loaded: Fields): Draft<Fields> {
  const [known, setKnown] = useState({ loaded, saved: loaded })
  const [draft, setDraft] = useState<Partial<Fields>>({})
  if (!isEqual(known.loaded, loaded)) setKnown({ loaded, saved: loaded })
  const fields = { ...known.saved, ...draft }
  return {
    fields,
    saved: known.saved,
    isChanged: !isEqual(fields, known.saved),
    change: (changed) => setDraft((now) => ({ ...now, ...changed })),
    markSaved: (sent) => {
      setKnown({ loaded, saved: sent })
      setDraft((now) => withoutEqual(now, sent))
    },
  }
}

function isEqual<Fields extends object>(one: Fields, other: Fields): boolean {
  return Object.keys(withoutEqual(one, other)).length === 0
}

/** The fields that differ from `other`. */
function withoutEqual<Fields extends object>(fields: Fields, other: object): Fields {
  const values = new Map<string, unknown>(Object.entries(other))
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== values.get(name))) as Fields
}
