import { useState } from 'react'
import { partOfFolder } from '#events/folders/browse.ts'
import { useRemote } from '#client/app/remote.ts'
import { FolderBrowser } from './FolderBrowser.tsx'

type FolderPickerProps = {
  volumeId: number
  /** Folder that is opened first. The default is the storage itself. */
  start?: string | undefined
  /** Snapshot whose folders are listed. */
  indexingDate: string
  /** Verb of the button that selects a folder. */
  verb: string
  onChoose: (path: string) => void
}

/** Browses the folders of a storage to select one. */
export function FolderPicker({ volumeId, start = '/', indexingDate, verb, onChoose }: FolderPickerProps) {
  const [path, go] = useState(start)
  const query = { path, volumeId: [volumeId], indexingDate, showHiddenDirectories: 'true', ...byName } as const
  const folders = useRemote(partOfFolder, { params: { part: 'folders' }, query }, 'snapshots')
  return <FolderBrowser path={path} onGo={go} folders={folders} verb={verb} onChoose={onChoose} />
}

const byName = { sort: 'name', direction: 'asc', size: 500 } as const
