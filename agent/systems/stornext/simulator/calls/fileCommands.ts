import { Refused } from '#agent/simulator/answers.ts'
import type { Command } from '../commands/jobs.ts'
import { relocateFile, retrieveFile, truncateFile } from '../commands/retrieve.ts'
import { onFiles } from '../commands/runFiles.ts'
import { storeFile } from '../commands/store.ts'
import type { StorageManager } from '../contents/storageManager.ts'
import { Failed } from '../statuses.ts'
import { type Call, required } from './call.ts'

/** `file/fsstore`: writes tape copies. The disk copy stays. */
export function store(manager: StorageManager, call: Call): Command {
  const copies = call.value('copies')
  if (copies !== undefined && !/^[1-9]$/.test(copies)) throw new Failed('bad parameter', 'copies')
  const work = storeFile(manager, copies === undefined ? undefined : Number(copies))
  return onFiles(manager, { name: 'fsstore', step: 'store', paths: requestedPaths(manager, call) }, work)
}

/** `file/fsretrieve`: brings files back in place. */
export const retrieve = (manager: StorageManager, call: Call): Command =>
  onFiles(
    manager,
    { name: 'fsretrieve', step: 'retrieve', paths: requestedPaths(manager, call) },
    retrieveFile(manager),
  )

/** `file/fsretrieve/new`: brings one file back to another path. */
export function relocate(manager: StorageManager, call: Call): Command {
  const { retrieveNew, unknownCall } = manager.readings
  if (retrieveNew === 'unavailable' && unknownCall === '404') throw new Refused({ status: 404, body: 'Not Found' })
  if (retrieveNew === 'unavailable') throw new Failed('unknown call', call.name)
  const [path, newPath] = [required(call, 'file'), required(call, 'newfile')]
  if (!newPath.startsWith('/')) throw new Failed('bad parameter', 'newfile')
  return onFiles(manager, { name: 'fsretrieve', step: 'relocate', paths: [path] }, relocateFile(manager, newPath))
}

/** `file/fsrmdiskcopy`: removes disk copies. */
export function removeDiskCopy(manager: StorageManager, call: Call): Command {
  required(call, 'file')
  return onFiles(manager, { name: 'fsrmdiskcopy', step: 'truncate', paths: call.values('file') }, truncateFile(manager))
}

/** The files of a call, or the files in its directory. */
function requestedPaths({ files }: StorageManager, call: Call): string[] {
  const directory = call.value('directory')
  const paths = call.values('file')
  if ((directory === undefined) === (paths.length === 0)) throw new Failed('bad parameter', 'file')
  if (directory === undefined) {
    if (call.value('recursive') !== undefined) throw new Failed('bad parameter', 'recursive')
    return paths
  }
  if (!files.hasDirectory(directory)) throw new Failed('unknown directory', directory)
  return files.below(directory, call.value('recursive') === 'true').map(({ path }) => path)
}
