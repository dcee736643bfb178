import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs'

/** Returns the path of an open folder, also one that is too long for the kernel. Throws the error of the system. */
export function pathOfFolder(fd: number): Buffer {
  const own = Buffer.from(`/proc/self/fd/${fd}`)
  try {
    return readlinkSync(own, 'buffer')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error
  }
  const above = openSync(`/proc/self/fd/${fd}/..`, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return Buffer.concat([pathOfFolder(above), slash, nameIn(above, fstatSync(fd).ino)])
  } finally {
    closeSync(above)
  }
}

const slash = Buffer.from('/')

/** Name of the folder with an inode in an open folder. */
function nameIn(fd: number, inode: number): Buffer {
  const folder = Buffer.from(`/proc/self/fd/${fd}/`)
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory()) continue
    const name = entry.name as unknown as Buffer
    if (lstatSync(Buffer.concat([folder, name])).ino === inode) return name
  }
  throw Object.assign(new Error('ENOENT: the folder was moved'), { code: 'ENOENT' })
}
