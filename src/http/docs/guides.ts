import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page from a Markdown file. `title`: the short title in the navigation. `file`: relative to the root of the release. */
export type Guide = { title: string; file: string; path: string }

/** The navigation. Files that are missing in this release are omitted. */
const groups: readonly { title: string; guides: readonly [name: string, title: string, file: string][] }[] = [
  {
    title: 'Begin',
    guides: [
      ['quickstart', 'Quickstart', 'docs/quickstart.md'],
      ['integrations', 'Integrations', 'docs/integrations.md'],
    ],
  },
  {
    title: 'Build',
    guides: [
      ['api', 'REST API', 'docs/api.md'],
      ['contract', 'The contract', 'docs/contract.md'],
      ['files', 'Files', 'docs/files.md'],
      ['webhooks', 'Webhooks', 'docs/webhooks.md'],
      ['agents', 'Agents', 'docs/agents.md'],
      ['typescript', 'TypeScript client', 'clients/typescript/README.md'],
      ['python', 'Python client', 'clients/python/README.md'],
    ],
  },
  {
    title: 'Models',
    guides: [
      ['vendors', 'Vendors', 'docs/vendors.md'],
      ['catalog', 'The catalog', 'docs/catalog.md'],
      ['providers', 'Writing a provider', 'docs/providers.md'],
    ],
  },
  {
    title: 'Run the service',
    guides: [
      ['operations', 'Operations', 'docs/operations.md'],
      ['deployment', 'Deployment', 'docs/deployment.md'],
      ['database', 'The database', 'docs/database.md'],
      ['sign-in', 'Signing in', 'docs/sign-in.md'],
      ['reliability', 'Reliability', 'docs/reliability.md'],
      ['drills', 'Drills', 'docs/drills.md'],
      ['threats', 'Threats', 'docs/threats.md'],
      ['monitoring', 'Monitoring', 'docs/monitoring.md'],
      ['runbook', 'Runbook', 'docs/runbook.md'],
      ['recovery', 'Backups and recovery', 'docs/recovery.md'],
      ['scaling', 'Scaling', 'docs/scaling.md'],
      ['measurements', 'Measurements', 'docs/measurements.md'],
      ['releases', 'Releases', 'docs/releases.md'],
      ['graphql', 'GraphQL', 'docs/graphql.md'],
    ],
  },
  {
    title: 'Change the code',
    guides: [
      ['architecture', 'Architecture', 'docs/architecture.md'],
      ['decisions', 'Decisions', 'docs/decisions/README.md'],
    ],
  },
]

export type GuideGroup = { title: string; guides: Guide[] }

/**
 * The pages of a release in the folder `root`. `decisions`: pages that only the guide Decisions links to. `pictures`: image files that
 * pages may show.
 */
export type Library = { root: string; groups: GuideGroup[]; decisions: Guide[]; pictures: string[] }

export const guidesPath = '/docs/guides'
export const picturesPath = '/docs/pictures'

export function loadLibrary(root: string): Library {
  const found = groups.map(({ title, guides }) => ({
    title,
    guides: guides
      .filter(([, , file]) => existsSync(join(root, file)))
      .map(([name, guide, file]) => ({ title: guide, file, path: `${guidesPath}/${name}` })),
  }))
  return {
    root,
    groups: found.filter(({ guides }) => guides.length > 0),
    decisions: filesIn(join(root, decisionsFolder), /^\d{4}-[\w-]+\.md$/).map((name) => decisionIn(root, name)),
    pictures: filesIn(join(root, 'docs/pictures'), /^[\w-]+\.webp$/),
  }
}

const decisionsFolder = 'docs/decisions'

function decisionIn(root: string, name: string): Guide {
  const file = `${decisionsFolder}/${name}`
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? []
  return { title, file, path: `${guidesPath}/decisions/${name.replace(/\.md$/, '')}` }
}

function filesIn(folder: string, named: RegExp): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => named.test(name)) : []
}

/** Every page from a Markdown file, in the order of the navigation, decisions last. */
export function guidesOf({ groups: all, decisions }: Library): Guide[] {
  return [...all.flatMap(({ guides }) => guides), ...decisions]
}

/**
 * Resolves a link of a Markdown file to a path on the site, or to another site. Undefined for targets outside the site, such as source
 * files.
 */
export function resolveLink(library: Library, from: string, href: string): string | undefined {
  if (/^(https:|http:|mailto:|#)/.test(href)) return href
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) return undefined
  if (href.startsWith('/')) return href
  const [, relative = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? []
  const file = posix.join(posix.dirname(from), relative).replace(/\/$/, '')
  const guide = guidesOf(library).find((each) => each.file === file || each.file === `${file}/README.md`)
  if (guide) return guide.path + anchor
  const picture = library.pictures.find((name) => file === `docs/pictures/${name}`)
  return picture === undefined ? undefined : `${picturesPath}/${picture}`
}
