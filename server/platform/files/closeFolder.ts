import { chmodSync, mkdirSync } from 'node:fs'

/** Makes a folder that nobody but its owner looks into, or closes the one that is there, where it is ours to close. */
export function closeFolder(path: string, mode = 0o700): void {
  mkdirSync(path, { recursive: true, mode })
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Another user owns it, who says who looks into it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
