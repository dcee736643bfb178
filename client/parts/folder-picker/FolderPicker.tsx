import { Button } from '@mantine/core'
import { IconChevronRight, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { partOfFolder } from '#events/folders/browse.ts'
import { useRemote } from '#client/app/remote.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { countText } from '#client/ui/text/count.ts'
import { visible } from '#client/parts/entry-text/EntryName.tsx'
import classes from './FolderPicker.module.css'

type FolderPickerProps = {
  volumeId: number
  /** Snapshot whose folders are listed. */
  indexingDate: string
  /** Verb of the button that selects a folder. */
  verb: string
  onChoose: (path: string) => void
}

/** Browses the folders of a storage to select one. */
export function FolderPicker({ volumeId, indexingDate, verb, onChoose }: FolderPickerProps) {
  const [path, go] = useState('/')
  const query = { path, volumeId: [volumeId], indexingDate, showHiddenDirectories: 'true', ...byName }
  const folders = useRemote(partOfFolder, { params: { part: 'folders' }, query }, 'snapshots')
  return (
    <div className={classes.picker}>
      <PathLinks path={path} onGo={go} />
      <div className={classes.list}>
        <RemoteContent remote={folders}>
          {({ elements, total }) => (
            <>
              <ul aria-label={`Folders in ${path}`}>
                {elements.map(({ fileId, name, path, size }) => (
                  <li key={fileId}>
                    <button type="button" className={classes.folder} onClick={() => go(path)}>
                      <IconFolder size={16} stroke={1.5} aria-hidden />
                      <bdi>{visible(name)}</bdi>
                    </button>
                    <Size bytes={size} />
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`${verb} ${path}`}
                      onClick={() => onChoose(path)}
                    >
                      {verb}
                    </Button>
                  </li>
                ))}
              </ul>
              {total === 0 && <p className={classes.note}>No folders in here.</p>}
              {total > elements.length && (
                <p className={classes.note}>
                  The first {countText(elements.length)} of {countText(total)} folders. Type the path of another one.
                </p>
              )}
            </>
          )}
        </RemoteContent>
      </div>
    </div>
  )
}

const byName = { sort: 'name', direction: 'asc', size: 500 } as const

/** Breadcrumb of the open folder. */
function PathLinks({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const names = path.split('/').filter((name) => name !== '')
  const steps = [
    { name: 'All folders', to: '/' },
    ...names.map((name, at) => ({ name, to: `/${names.slice(0, at + 1).join('/')}` })),
  ]
  return (
    <ol className={classes.way} aria-label="Open folder">
      {steps.map(({ name, to }) => (
        <li key={to}>
          {to !== '/' && <IconChevronRight size={14} stroke={1.5} aria-hidden />}
          <button type="button" onClick={() => onGo(to)} aria-current={to === path ? 'true' : undefined}>
            <bdi>{visible(name)}</bdi>
          </button>
        </li>
      ))}
    </ol>
  )
}
