const nameCharactersMax = 150

/**
 * Builds the `Content-Disposition` header for an untrusted file name. Removes path separators, control characters and bidirectional
 * marks. Names outside ASCII are also sent in the encoded form.
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
  // Keeps the end of the name, because it contains the extension.
  const shortened = [...name].slice(-nameCharactersMax).join('').trim()
  return shortened === '' ? 'file' : shortened
}

function encodeExtended(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
