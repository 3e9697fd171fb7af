/**
 * No script but our own files, and no connection but to us.
 * `ownStyles`: the page's script writes styles of its own, which no hash could follow.
 */
export function pageHeaders({ ownStyles = false }: { ownStyles?: boolean } = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    ownStyles ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  }
}
