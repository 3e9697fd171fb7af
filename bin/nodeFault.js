/** The sources are TypeScript, which Node reads from here on. */
const majorNeeded = 24

/**
 * The message if this Node cannot run the service; `undefined` if it can. `failure`: why the Node that npm installed does not run. It is set
 * on Alpine, because that Node was built for another C library, so another `npm ci` would not help.
 */
export function nodeFault({ version, failure }) {
  if (Number.parseInt(version, 10) >= majorNeeded) return undefined
  const start = `atelier needs Node ${majorNeeded} or newer; this is v${version}`
  if (failure === undefined) return `${start}. Run npm ci in its folder, which brings one.`
  const install = `Install Node ${majorNeeded} on this system, for Alpine with apk add nodejs-current`
  const database = 'set DATABASE_URL: the embedded PostgreSQL needs glibc too.'
  return `${start}, and the one of npm ci cannot run here (${failure}). ${install}, and ${database}`
}
