/** Names of the files that this page uploaded, by identifier. The service does not store them. */
const names = new Map<string, string>()
const namesMax = 100

/** Remembers the name of an uploaded file until the page closes. */
export function rememberFileName(id: string, name: string): void {
  names.set(id, name)
  const [oldest] = names.keys()
  if (names.size > namesMax && oldest !== undefined) names.delete(oldest)
}

export function fileNameOf(id: string): string | undefined {
  return names.get(id)
}
