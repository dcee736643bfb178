import { posix, sep } from 'node:path'
import type { PlannedFile } from '#events/actions/files.ts'
import { isText } from '#events/contract/fileNames.ts'
import { unsendable } from '../../actions/outcomes.ts'
import { FileFailed } from '../../actions/sourceFile.ts'
import type { Target } from './target.ts'

/** Folder and name of a file in Iconik. The folder has no slash at either end. */
export type Place = { directory: string; name: string }

/** Place of a file on the storage; for a gateway, relative to its mount point. Throws `FileFailed` for a file that can't have one. */
export function placeOf({ storage }: Target, file: PlannedFile): Place {
  const path = storage.method === 'FILE' ? pathBelow(storage.settings?.mount_point ?? '', file.path) : file.place
  if (path === undefined)
    throw new FileFailed(
      `The file is not below ${storage.settings?.mount_point || 'the mount point'}, the mount point of the storage ${storage.name}. Its gateway can't see the file`,
    )
  if (!isText(path)) throw new FileFailed(unsendable)
  const relative = path.replace(/^\/+/, '')
  const directory = posix.dirname(relative)
  return { directory: directory === '.' ? '' : directory, name: posix.basename(relative) }
}

/** Path of a file below a folder, with slashes; undefined for a file elsewhere. */
function pathBelow(folder: string, path: string): string | undefined {
  const [root, whole] = [folder, path].map((each) => (sep === '/' ? each : each.replaceAll(sep, '/')))
  const prefix = `${(root ?? '').replace(/\/+$/, '')}/`
  return folder !== '' && whole?.startsWith(prefix) ? whole.slice(prefix.length) : undefined
}
