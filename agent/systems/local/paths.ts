import { bytesOfName, hasStray } from '#events/scans/names.ts'

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

/** The path of a folder for a call of the kernel, which ends with a 0. The storage's root may be a symbolic link: with the dot, its target is opened. */
export function pathForKernel(root: string, path: string): Buffer {
  const folder = path === '' ? joined(beginningOf(onDisk(root, '')), '.') : onDisk(root, path)
  const bytes = Buffer.from(folder)
  const memory = Buffer.from(new ArrayBuffer(bytes.length + 1))
  bytes.copy(memory)
  return memory
}
