/** Pictures of inputs that this page uploaded or chose, by identifier. The service has no link to an uploaded file. */
const known = new Map<string, { name: string; url: string | undefined }>()
const knownMax = 100

/** Remembers an uploaded file until the page closes. */
export function rememberPicture(id: string, file: File): void {
  remember(id, { name: file.name, url: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined })
}

/** Remembers a chosen generation. */
export function rememberResult(id: string, result: { name: string; url: string | undefined }): void {
  remember(id, result)
}

export function pictureOf(id: string): { name: string; url: string | undefined } | undefined {
  return known.get(id)
}

function remember(id: string, picture: { name: string; url: string | undefined }): void {
  known.set(id, picture)
  const [oldest] = known
  if (known.size <= knownMax || oldest === undefined) return
  if (oldest[1].url?.startsWith('blob:')) URL.revokeObjectURL(oldest[1].url)
  known.delete(oldest[0])
}
