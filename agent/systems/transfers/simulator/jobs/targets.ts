import { basename, dirname, extname } from 'node:path/posix'
import { pathIn, type Tree } from '../contents/tree.ts'
import type { Readings } from '../unconfirmed.ts'
import type { JobRequest } from './job.ts'

/** Path of a copy: below the target under the source's own name, or under its whole path. */
export function targetPath(
  { target, keepFolderStructure }: JobRequest,
  source: { path: string },
  filePath: string,
): string {
  const parent = dirname(source.path)
  const kept = keepFolderStructure || parent === '/' ? filePath.slice(1) : filePath.slice(parent.length + 1)
  return pathIn(target.path, kept)
}

/** Path for a copy next to an existing file, with the first number that is free. */
export function freePath(tree: Tree, path: string, { renamed }: Readings): string {
  const extension = extname(path)
  const stem = path.slice(0, path.length - extension.length)
  const candidates = {
    'name 1': (i: number) => `${stem} ${i}${extension}`,
    'name (1)': (i: number) => `${stem} (${i})${extension}`,
    suffix: (i: number) => `${path}.${i}`,
  }
  let i = 1
  while (tree.get(candidates[renamed](i))) i++
  return candidates[renamed](i)
}

/** True if a target is one of the sources, or inside of it. */
export const isTargetInSource = ({ target, sources }: JobRequest): boolean =>
  sources.some(
    ({ storageId, path, isDirectory }) =>
      isDirectory && storageId === target.storageId && `${target.path}/`.startsWith(path === '/' ? '/' : `${path}/`),
  )

/** True if the name of the path of a source is empty, `.` or `..`. */
export const isInvalidPath = (path: string): boolean =>
  path !== '/' && (path.endsWith('/') || path.split('/').includes('..') || basename(path) === '.')
