import type { PackedImage } from '../image/packImage.ts'

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

/** The digests of the image and of its base images. Says so if the release has no image. */
export function imageNotes(packed: PackedImage | undefined, repository: string | undefined): string {
  if (packed === undefined) return '## Image\n\nThis release was made without an image.\n'
  const { digest, manifests, bases } = packed
  const lines = [
    repository === undefined ? `- \`${digest}\`` : `- \`${repository}@${digest}\``,
    ...manifests.map((each) => `- ${each.platform}: \`${each.digest}\``),
    `- built from \`${bases.debian}\` with \`${bases.node}\``,
  ]
  return `## Image\n\n${lines.join('\n')}\n`
}
