import { Refused } from '#agent/simulator/answers.ts'
import type { Command } from '../commands/jobs.ts'
import { relocateFile, retrieveFile, truncateFile } from '../commands/retrieve.ts'
import { onFiles } from '../commands/runFiles.ts'
import { storeFile } from '../commands/store.ts'
import type { StorageManager } from '../contents/storageManager.ts'
import { Failed } from '../statuses.ts'
import { type Call, required } from './call.ts'

/** `file/fsstore`: writes tape copies. The disk copy stays. */
export const store = (manager: StorageManager, call: Call): Command =>
  onFiles(manager, { name: 'fsstore', step: 'store', paths: pathsOf(call) }, storeFile(manager))

/** `file/fsretrieve`: brings files back in place. */
export const retrieve = (manager: StorageManager, call: Call): Command =>
  onFiles(manager, { name: 'fsretrieve', step: 'retrieve', paths: pathsOf(call) }, retrieveFile(manager))

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
export const removeDiskCopy = (manager: StorageManager, call: Call): Command =>
  onFiles(manager, { name: 'fsrmdiskcopy', step: 'truncate', paths: pathsOf(call) }, truncateFile(manager))

function pathsOf(call: Call): string[] {
  required(call, 'file')
  return call.values('file')
}
