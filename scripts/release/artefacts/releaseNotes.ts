/**
 * The section of a version in `CHANGELOG.md`, without its heading. `Unreleased` belongs to a version that has no section yet. Throws if there is
 * neither.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`)) ?? sections.find(isUnreleased)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`)
  return `${section.slice(section.indexOf('\n') + 1).trim()}\n`
}

function isUnreleased(section: string): boolean {
  return section.startsWith('Unreleased\n')
}
