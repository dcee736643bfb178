import {
  IconAlertTriangle,
  IconArrowsDiff,
  IconFolderOpen,
  IconHistory,
  IconPencil,
  IconSearch,
} from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { hasFailed } from '#events/overview/storageStates.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { CopyPath } from '#client/parts/entry-text/EntryPath.tsx'
import { LiveButton } from '#client/parts/storages/LiveBadge.tsx'
import { notIncludedCount, notIncludedText } from '#client/parts/storages/notIncluded.ts'
import { ScanNow } from '#client/parts/storages/ScanNow.tsx'
import { StorageMarks } from '#client/parts/storages/StorageMarks.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { accessWarning, sizeWarning } from './detailFacts.ts'
import classes from './Volume.module.css'

/** Path, agent and snapshot of a storage. */
export function VolumeHead({ volume }: { volume: DetailedVolume }) {
  const { fullPath, server, indexingDate, scannedOn, isPartial, notEntered, limited } = volume
  const warning = sizeWarning(volume)
  const access = accessWarning(volume)
  return (
    <div className={classes.top}>
      <dl className={classes.head}>
        <div className="row shrink min-28 gap-8">
          <dt>Path</dt>
          <dd className="row shrink gap-4">
            <PathText path={fullPath} />
            <CopyPath path={fullPath} />
          </dd>
        </div>
        {!limited && (
          <div className="row shrink min-28 gap-8">
            <dt>Agent</dt>
            <dd className="row shrink gap-4">{server?.name ?? 'Unknown'}</dd>
          </div>
        )}
        <div className="row shrink min-28 gap-8">
          <dt>Snapshot</dt>
          <dd className="row shrink gap-4">
            {scannedOn === indexingDate ? (
              indexingDate
            ) : (
              <span title={`The snapshot of ${indexingDate} repeats this scan`}>As of {scannedOn}</span>
            )}
            <LiveButton volumeId={volume.id} />
            <StorageMarks volumeId={volume.id} />
            {isPartial && (
              <Chip
                icon={IconAlertTriangle}
                tone="warn"
                title="Some paths could not be read, so totals are a lower bound"
              >
                Partial
              </Chip>
            )}
            {warning !== undefined && (
              <Chip icon={IconAlertTriangle} tone="warn" title={warning}>
                Check size
              </Chip>
            )}
            {access !== undefined && (
              <Chip icon={IconAlertTriangle} tone="warn" title={access}>
                Access times unknown
              </Chip>
            )}
            {notEntered.count > 0 && (
              <Chip icon={IconAlertTriangle} tone="warn" title={notIncludedText(notEntered.folders, notEntered.count)}>
                {notIncludedCount(notEntered.folders, notEntered.count)}
              </Chip>
            )}
          </dd>
        </div>
      </dl>
      <VolumeActions volume={volume} />
    </div>
  )
}

const icon = { size: 16, stroke: 1.5 }

/** Links to other screens for the storage. */
function VolumeActions({ volume: { id } }: { volume: DetailedVolume }) {
  const links = useLinks()
  const state = useStorageStates().data?.find(({ volumeId }) => volumeId === id)
  const look = { component: Link, variant: 'default', size: 'compact-sm' } as const
  return (
    <div className="flex wrap gap-8">
      {state && (
        <>
          {(hasFailed(state) || !state.isScanned) && <ScanNow state={state} />}
          <RoleGuard needs="settings.edit">
            <Button {...look} href={links.storages({ edit: id })} leftSection={<IconPencil {...icon} />}>
              Edit
            </Button>
            <Button {...look} href={links.importHistory(id)} leftSection={<IconHistory {...icon} />}>
              Import history
            </Button>
          </RoleGuard>
        </>
      )}
      <Button
        {...look}
        href={links.fileManagement({ volumeId: id, path: '/' })}
        leftSection={<IconFolderOpen {...icon} />}
      >
        Folders
      </Button>
      <Button {...look} href={links.comparison({ volumeId: id, path: '/' })} leftSection={<IconArrowsDiff {...icon} />}>
        Compare
      </Button>
      <Button {...look} href={links.search({ volumeId: [String(id)] })} leftSection={<IconSearch {...icon} />}>
        Search
      </Button>
    </div>
  )
}
