/** The sources are TypeScript, which Node reads from here on. */
const majorNeeded = 24

/**
 * What to say if this Node cannot run the service; `undefined` if it can. `failure`: why the Node that npm installed does not run, as on Alpine,
 * whose C library is not the one that it was built for. Another `npm ci` would not help there.
 */
export function nodeFault({ version, failure }) {
  if (Number.parseInt(version, 10) >= majorNeeded) return undefined
  const start = `atelier needs Node ${majorNeeded} or newer; this is v${version}`
  if (failure === undefined) return `${start}. Run npm ci in its folder, which brings one.`
  return `${start}, and the one of npm ci cannot run here (${failure}). Install Node ${majorNeeded} on this system, for Alpine with apk add nodejs-current, and set DATABASE_URL: the embedded PostgreSQL needs glibc too.`
}
