import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackage } from './installPackage.js'
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

/** A program of a Debian package with the same name. `why` is its purpose and size. */
export const packagedTool = (name: string, why: string): Tool => ({
  name,
  find: () => findProgram(name),
  install: () => installPackage(why, name),
  help: `${name} was not found: install the package ${name}`,
})

/** Path of a program by name or path. Searches also where Debian puts servers, which is not on the PATH of ordinary users. */
export function findProgram(program: string): string | undefined {
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` }
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8', env })
  return status === 0 ? stdout.trim() : undefined
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
