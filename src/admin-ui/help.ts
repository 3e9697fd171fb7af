import type { TeamScreenId } from './paths.ts'

const guide = '/docs/guides/integrations'

/** The section of the guide about each screen, by the second part of its path. The page of a key, for example, belongs to `keys`. */
const sections: Record<TeamScreenId | 'account' | 'members', string> = {
  overview: 'overview',
  playground: 'playground',
  catalog: 'catalog',
  keys: 'keys',
  webhooks: 'webhooks',
  agents: 'agents',
  history: 'history',
  deliveries: 'deliveries',
  usage: 'usage',
  audit: 'audit-log',
  team: 'team',
  members: 'team',
  settings: 'settings',
  account: 'your-account',
}

/** The screens with help. */
export const screensWithHelp = Object.keys(sections)

/** The address of the help about the screen at a path of the router. */
export function helpAt(path: string): string | undefined {
  const [, , screen = ''] = path.split('/')
  return Object.hasOwn(sections, screen) ? `${guide}#${sections[screen as keyof typeof sections]}` : undefined
}
