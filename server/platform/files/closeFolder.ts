import { chmodSync, mkdirSync } from 'node:fs'

/** Creates a folder that only its owner can read, or restricts an existing one if we own it. */
export function closeFolder(path: string, mode = 0o700): void {
  mkdirSync(path, { recursive: true, mode })
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Another user owns the folder and decides who can read it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
