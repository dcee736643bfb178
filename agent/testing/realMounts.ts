import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { testFolder } from '#server/platform/testing/stores.ts'

/**
 * Mounts a file system until the tests of the file end, by commands that get a path for its image and its mount point. Undefined where this machine
 * lacks the rights or the programs.
 */
export function tryMount(commands: (image: string, point: string) => string[]): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const folder = testFolder('mounted')
  const [image, point] = [join(folder, 'image'), join(folder, 'point')]
  mkdirSync(point)
  atEndOfFile(() => void spawnSync('umount', ['-l', point]))
  const isMounted = commands(image, point).every((command) => {
    const [program = '', ...args] = command.split(' ')
    return spawnSync(program, args).status === 0
  })
  return isMounted ? point : undefined
}

/** Mounts a new file system of this type in a file. */
export const tryMountImage = (make: string): string | undefined =>
  tryMount((image, point) => [`truncate -s 400M ${image}`, `${make} ${image}`, `mount -o loop ${image} ${point}`])
