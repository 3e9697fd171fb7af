import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'

/** Packs a folder as `.tar.gz` with the same bytes on every machine: sorted names, one owner, one time, usual permissions. */
export function packFolder(folder: string, file: string, epochSeconds: number): void {
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${epochSeconds}`,
    '--mode=u=rwX,go=rX',
    '--format=ustar',
  ]
  execFileSync('tar', [...same, '--use-compress-program=gzip -n -9', '-cf', file, '-C', dirname(folder), basename(folder)])
}
