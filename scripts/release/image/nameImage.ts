import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `repository`: where the image will be, such as `ghcr.io/example/atelier`, if that is known. */
export type NamedImage = { repository: string | undefined; digest: string }

/**
 * Names the image by digest in the deployment files of the unpacked release `folder`. A digest stays the same wherever the image is pushed,
 * but only compose with a repository can use one. An archive has no Containerfile, so compose has nothing to build.
 */
export async function nameImage(folder: string, { repository, digest }: NamedImage): Promise<void> {
  await change(join(folder, 'deploy/kubernetes/kustomization.yaml'), (text) =>
    replaced(text, /^ +# Set newName.*\n( +)newTag: .*$/m, (indent) =>
      repository === undefined
        ? `${indent}# Set newName to the name of the image in your registry.\n${indent}digest: ${digest}`
        : `${indent}newName: ${repository}\n${indent}digest: ${digest}`,
    ),
  )
  await change(join(folder, 'deploy/compose.yaml'), (text) => {
    const built = replaced(text, /^( +)build:\n +context: .*\n +dockerfile: .*\n/m, () => '')
    if (repository === undefined) return built
    return replaced(built, /\$\{ATELIER_IMAGE:-atelier:([^}]+)\}/, (version) => `\${ATELIER_IMAGE:-${repository}:${version}@${digest}}`)
  })
}

async function change(file: string, edit: (text: string) => string): Promise<void> {
  await writeFile(file, edit(await readFile(file, 'utf8')))
}

/** Replaces the only match. A file that has none has changed, and would be released with the wrong image. */
function replaced(text: string, pattern: RegExp, by: (group: string) => string): string {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`nothing matches ${pattern}`)
  return text.slice(0, found.index) + by(found[1] ?? '') + text.slice(found.index + found[0].length)
}
