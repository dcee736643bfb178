import { counted } from '#events/contract/counted.ts'
import { dirname } from 'node:path/posix'
import type { PlannedFile } from '#events/actions/files.ts'
import { createFolder, inStorage } from '../local/inFolder.ts'
import type { Client } from './client.ts'
import { byTape } from './tapeOrder.ts'
import { maxFilesOfCall } from './unconfirmed.ts'
import type { Order, Situation } from './verbs.ts'

/** Files of each command, in the order to send them. */
export async function commandsFor(
  client: Client,
  order: Order,
  open: Situation[],
  signal: AbortSignal,
): Promise<Situation[][]> {
  const files = open.map((situation) => {
    const media = situation.source.file?.media.toSorted((a, b) => a.copy - b.copy)
    return { ...situation, place: situation.file.place, mediaId: media?.[0]?.mediaId ?? '' }
  })
  const ordered = order.verb === 'retrieve' ? await byTape(client, files, signal) : files
  const size = order.relocate === null ? maxFilesOfCall : 1
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, i) => ordered.slice(i * size, (i + 1) * size))
}

/** Name and parameters of a command for files. */
export async function commandFor({ verb, relocate }: Order, files: Situation[]) {
  const file = files.map((each) => each.file.place)
  const subject = counted(file.length, 'file')
  const [first] = files
  if (relocate === null || first?.targetPath === undefined)
    return { name: verb === 'store' ? 'file/fsstore' : 'file/fsretrieve', parameters: { file }, subject }
  await createTargetFolder(first.file, first.targetPath)
  return { name: 'file/fsretrieve/new', parameters: { file, newfile: first.targetPath }, subject }
}

/**
 * Creates the folder of a new path in the storage of its file, if the agent sees the storage: not every server does. A folder that can't be
 * created is left to the server, which reports it.
 */
async function createTargetFolder(file: PlannedFile, targetPath: string): Promise<void> {
  const folder = pathOfAgent(file, dirname(targetPath))
  const { root, crossesFileSystems } = inStorage(file)
  if (!folder?.startsWith(`${root}/`)) return
  await createFolder({ root, path: folder.slice(root.length), crossesFileSystems }).catch(() => {})
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
