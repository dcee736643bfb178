import { Button } from '@mantine/core'
import { IconFolder, IconFolderPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { storagePriceText } from '#client/parts/cost/costWords.ts'
import { type ChosenFolder, ManualFolder, toggled } from '#client/parts/folder-picker/ManualFolder.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { RemoveFolder } from '#client/parts/folder-picker/RemoveFolder.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { countText } from '#client/ui/text/count.ts'
import { FolderSuggestions } from './FolderSuggestions.tsx'
import classes from './ProjectForm.module.css'

type TrackedFoldersProps = {
  folders: ChosenFolder[]
  onChange: (folders: ChosenFolder[]) => void
  error: ReactNode
  disabled: boolean
}

/** Folders of a project, with two ways to add one. */
export function TrackedFolders({ folders, onChange, error, disabled }: TrackedFoldersProps) {
  const [isManual, setManual] = useState(false)
  const toggle = (folder: ChosenFolder) => onChange(toggled(folders, folder))
  return (
    <Panel title="Tracked folders" note={countText(folders.length)}>
      <div className="stack inset gap-12">
        {folders.length === 0 ? (
          <p className="muted">No folders yet. Overlapping folders are counted once.</p>
        ) : (
          <ul className="stack" aria-label="Tracked folders">
            {folders.map((folder) => (
              <li className={classes.folder} key={`${folder.volumeId}:${folder.path}`}>
                <IconFolder className="muted" size={16} stroke={1.5} aria-hidden />
                <span className={classes.volume}>{folder.volumeName}</span>
                <PathText path={folder.path} />
                <RemoveFolder folder={folder} onRemove={toggle} disabled={disabled} />
              </li>
            ))}
          </ul>
        )}
        {folders.length > 0 && <Prices folders={folders} />}
        {error && (
          <p className="critical small" role="alert">
            {error}
          </p>
        )}
        <FolderSuggestions folders={folders} onToggle={toggle} disabled={disabled} />
        {isManual ? (
          <ManualFolder folders={folders} onToggle={toggle} disabled={disabled} />
        ) : (
          <div>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconFolderPlus size={16} stroke={1.5} />}
              disabled={disabled}
              onClick={() => setManual(true)}
            >
              Add a folder manually
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Prices of the storages, on which the costs of the project depend. */
function Prices({ folders }: { folders: readonly ChosenFolder[] }) {
  const links = useLinks()
  const known = useVolumes().data?.elements ?? []
  const storages = new Map(folders.map(({ volumeId, volumeName }) => [volumeId, volumeName]))
  const prices = [...storages].map(([id, name]) => {
    const price = known.find((volume) => volume.id === id)?.storagePrice
    return price ? `${name} ${storagePriceText(price)} (${price.description})` : `${name} has no price`
  })
  return (
    <p className="muted">
      Costs follow the price of each storage: {prices.join(', ')}.{' '}
      <RoleGuard needs="settings.edit">
        <Link href={links.settings('data')}>Set prices</Link>
      </RoleGuard>
    </p>
  )
}
