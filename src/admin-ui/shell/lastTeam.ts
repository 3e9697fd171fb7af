import type { Viewer } from '../api/viewer.ts'

/** The team that this person looked at last in this browser, as long as they are in it; else their first. */
export function lastTeamOf({ id, memberships }: Viewer) {
  const remembered = read(nameOf(id))
  return memberships.find(({ team }) => team.id === remembered) ?? memberships[0]
}

export function rememberTeam(userId: string, teamId: string): void {
  try {
    localStorage.setItem(nameOf(userId), teamId)
  } catch {
    // Storage is full or forbidden: the first team will do.
  }
}

function nameOf(userId: string): string {
  return `atelier-last-team:${userId}`
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
