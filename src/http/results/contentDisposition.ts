const nameCharactersMax = 150

/**
 * The `Content-Disposition` header for a file name of any origin. Path parts, control and direction characters never reach the
 * client; names beyond plain ASCII are sent in the encoded form as well.
 */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const name = safeName(fileName)
  const plain = name.replaceAll(/[^A-Za-z0-9 ._()-]/g, '_')
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`}`
}

function safeName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[. ]+/, '')
  // The end of a name says its kind, so that is the part that stays.
  const kept = [...name].slice(-nameCharactersMax).join('').trim()
  return kept === '' ? 'file' : kept
}

function encodeExtended(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
