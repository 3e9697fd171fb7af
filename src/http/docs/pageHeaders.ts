/**
 * The content security policy allows only our own script files, and connections only to this origin.
 * `ownStyles`: allows inline styles, because the page's script writes styles whose hashes are not known.
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
