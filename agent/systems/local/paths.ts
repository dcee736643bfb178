import { bytesOfName, hasStray } from '#events/contract/fileNames.ts'

/** A path as the disk takes it: as bytes where a name is not UTF-8. */
export type DiskPath = string | Buffer

/** Path on the disk of an entry of a storage. */
export function onDisk(root: string, path: string): DiskPath {
  const base = root.replace(/\/+$/, '')
  if (hasStray(path)) return Buffer.concat([Buffer.from(base), bytesOfName(path)])
  return base + path || '/'
}

/** A name as the disk takes it. */
export const onDiskName = (name: string): DiskPath => (hasStray(name) ? bytesOfName(name) : name)

/** Path before the names in a folder. */
export const beginningOf = (folder: DiskPath): DiskPath =>
  typeof folder !== 'string' ? Buffer.concat([folder, Buffer.from('/')]) : folder === '/' ? '/' : `${folder}/`

/** The path of a name after the beginning of its folder. */
export const joined = (beginning: DiskPath, name: DiskPath): DiskPath =>
  typeof beginning === 'string' && typeof name === 'string'
    ? beginning + name
    : Buffer.concat([Buffer.from(beginning), Buffer.from(name)])

/** Bytes of a path that any system call accepts; Linux accepts 4,095. */
export const maxPathBytes = 3_800

/** True if a path may be too long for system calls. A character has at most three bytes. */
export const isDeep = (path: DiskPath): boolean =>
  path.length > maxPathBytes / 3 && Buffer.byteLength(path) > maxPathBytes
