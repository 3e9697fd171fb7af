import { readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

type Link = { source: string; target: string }

/**
 * Creates the symbolic links between libraries that PostgreSQL's programs in `folder` need. npm packages cannot contain links, so the package
 * lists them for its install script, which this project does not run. Returns false if links are missing and the folder is read-only.
 */
export async function linkLibraries(folder: string): Promise<boolean> {
  const missing = await missingLinks(folder)
  const outcomes = await Promise.all(missing.map((link) => make(folder, link)))
  return !outcomes.includes('refused')
}

/** The list has paths of the package, where `folder` is named native. */
async function missingLinks(folder: string): Promise<Link[]> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = (JSON.parse(list) as Link[]).map(({ source, target }) => ({
    source: relative('native', source),
    target: relative('native', target),
  }))
  const folders = [...new Set(links.map(({ target }) => dirname(target)))]
  const present = await Promise.all(folders.map(async (name) => (await readdir(join(folder, name))).map((file) => join(name, file))))
  return links.filter(({ target }) => !present.flat().includes(target))
}

async function make(folder: string, { source, target }: Link): Promise<'made' | 'refused'> {
  try {
    await symlink(relative(dirname(target), source), join(folder, target))
    return 'made'
  } catch (error) {
    // Another process may create the same link at this moment.
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'made' : 'refused'
  }
}
