import type { Viewer } from '../api/viewer.ts'

/** The last team of the person in this browser, if they are still a member; otherwise their first team. */
export function lastTeamOf({ id, memberships }: Viewer) {
  const remembered = read(nameOf(id))
  return memberships.find(({ team }) => team.id === remembered) ?? memberships[0]
}

export function rememberTeam(userId: string, teamId: string): void {
  try {
    localStorage.setItem(nameOf(userId), teamId)
  } catch {
    // Storage is full or not available. The first team is used then.
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
