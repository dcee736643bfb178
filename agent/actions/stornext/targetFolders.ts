import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path/posix'
import type { PlannedFile } from '#events/actions/files.ts'

/**
 * Creates the folder of a new path, if the agent sees the file system: not every server does. A folder that can't be created is left to
 * the server, which reports it.
 */
export async function createTargetFolder(file: PlannedFile, targetPath: string): Promise<void> {
  const folder = pathOfAgent(file, dirname(targetPath))
  const isVisible = await stat(dirname(file.path)).catch(() => undefined)
  if (folder !== undefined && isVisible?.isDirectory()) await mkdir(folder, { recursive: true }).catch(() => {})
}

/** Path of this machine for a path of the server: they differ at their beginnings, as the two paths of a file do. */
export function pathOfAgent(
  { path, place }: Pick<PlannedFile, 'path' | 'place'>,
  serverPath: string,
): string | undefined {
  const [here, there] = [path.split('/'), place.split('/')]
  while (here.length > 1 && there.length > 1 && here.at(-1) === there.at(-1)) {
    here.pop()
    there.pop()
  }
  const [agentRoot, serverRoot] = [here.join('/'), there.join('/')]
  return serverPath.startsWith(`${serverRoot}/`) ? agentRoot + serverPath.slice(serverRoot.length) : undefined
}
