import type { TeamScreenId } from './paths.ts'

const guide = '/docs/guides/integrations'

/** The section of the guide for each screen, by the second segment of its path. The page of a key has the section of `keys`. */
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

/** The path segments of the screens with help. */
export const screensWithHelp = Object.keys(sections)

/** Returns the address of the help for the screen at a router path. */
export function helpAt(path: string): string | undefined {
  const [, , screen = ''] = path.split('/')
  return Object.hasOwn(sections, screen) ? `${guide}#${sections[screen as keyof typeof sections]}` : undefined
}
