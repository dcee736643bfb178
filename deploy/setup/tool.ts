import { join } from 'node:path'
import { withLock } from './lock.js'

/** Folder of the checkout in which setup puts what it installs for this checkout only. */
export const toolsFolder = join(import.meta.dirname, '../../.tools')

/** A program that tests or benches need, but the product doesn't. */
export type Tool = {
  name: string
  /** Path of the program; undefined if it is missing. */
  find(): string | undefined
  /** Installs it if this machine and user can, and prints what and why. Children may inherit the descriptor of the lock. */
  install(lock: number): void
  /** Sentence that names what to install. */
  help: string
}

/**
 * Returns the path of a tool, installing it first if it is missing. Of several processes of a checkout only one installs, and
 * the others wait for it. Throws with `help` if the tool can't be installed.
 */
export function findOrInstall(tool: Tool, folder = toolsFolder): string {
  const found = tool.find()
  if (found !== undefined) return found
  const onWait = () => console.log(`Waiting for another process before installing ${tool.name}`)
  return withLock(join(folder, 'install.lock'), onWait, (lock) => {
    if (tool.find() === undefined) tool.install(lock)
    const installed = tool.find()
    if (installed === undefined) throw new Error(tool.help)
    return installed
  })
}
