import { Button } from '@mantine/core'
import { IconCopyCheck, IconFileSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type DuplicateFolders as Group, searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { writePlace } from '#events/search/filters.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { duplicateRule, reclaimableRule } from '#client/parts/duplicates/duplicateWords.ts'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import type { SearchAddress } from '#client/parts/searched/searchAddress.ts'
import classes from './Results.module.css'

/** Groups per click on more, and at most. */
const step = 50
const maxGroups = 1_000
/** Folders shown of a group. */
const maxShown = 3

type DuplicateFoldersProps = { address: SearchAddress; indexingDate: string | undefined }

/** Folders that contain the same files among the results, those that waste most first. */
export function DuplicateFolders({ address, indexingDate }: DuplicateFoldersProps) {
  const [size, setSize] = useState(step)
  const found = useRemote(
    searchDuplicateFolders,
    { query: { ...address.filters, indexingDate, size } },
    'snapshots',
    'tags',
  )
  return (
    <Card
      title="Duplicates by folder"
      remote={found}
      skeleton={<Skeleton rows={12} />}
      note={found.data && found.data.elements.length > 0 && <Reclaimable bytes={found.data.reclaimable} />}
    >
      {({ elements, isPartial }) =>
        elements.length === 0 ? (
          <Notice icon={IconCopyCheck}>No folders contain the same files.</Notice>
        ) : (
          <>
            <p className="muted inset-8">
              {duplicateRule} {reclaimableRule}
            </p>
            <DataTable
              label="Duplicates by folder"
              columns={columnsOf(address)}
              rows={elements}
              rowKey={keyOf}
              empty={null}
            />
            {isPartial && <p className="muted inset-8">Groups of a few small files are left out.</p>}
            {elements.length === size && size < maxGroups && (
              <Button variant="default" className={classes.more} onClick={() => setSize(size + step)}>
                Show {step} more
              </Button>
            )}
          </>
        )
      }
    </Card>
  )
}

const Reclaimable = ({ bytes }: { bytes: number }) => (
  <>
    <Size bytes={bytes} /> reclaimable
  </>
)

const keyOf = ({ folders, folderCount, files }: Group): string =>
  `${folders.map(writePlace).join(' ')} ${folderCount} ${files}`

const columnsOf = ({ params }: SearchAddress): Column<Group>[] => [
  { key: 'folders', title: 'Folders with the same files', grows: true, cell: (group) => <Folders group={group} /> },
  { key: 'files', title: 'Files', align: 'right', wideOnly: true, cell: ({ files }) => <Count of={files} /> },
  {
    key: 'size',
    title: 'Same name, size and date',
    align: 'right',
    wideOnly: true,
    cell: ({ size }) => <Size bytes={size} />,
  },
  { key: 'reclaimable', title: 'Reclaimable', align: 'right', cell: ({ reclaimable }) => <Size bytes={reclaimable} /> },
  {
    key: 'open',
    title: 'Files of the group',
    isTitleHidden: true,
    cell: (group) => <OpenFiles group={group} params={params} />,
  },
]

function Folders({ group: { folders, folderCount } }: { group: Group }) {
  return (
    <ul className={classes.folders}>
      {folders.slice(0, maxShown).map((folder) => (
        <li className="flex gap-4" key={writePlace(folder)} title={`${folder.volumeName}: ${folder.fullPath}`}>
          <span className="fixed">{folder.volumeName}: </span>
          <EntryPath path={folder.fullPath} />
        </li>
      ))}
      {folderCount > maxShown && <li className="ellipsis">and {folderCount - maxShown} more</li>}
      {folderCount === 1 && <li className="ellipsis">Copies within this folder</li>}
    </ul>
  )
}

/** Link to the duplicates in the folders of a group, set by set. */
function OpenFiles({ group: { folders }, params }: { group: Group; params: SearchAddress['params'] }) {
  const links = useLinks()
  const href = links.search({
    ...params,
    volumeId: undefined,
    startingPath: undefined,
    storageAndPath: folders.map(writePlace),
    onlyDuplicates: 'true',
    sort: 'duplicateSet',
    direction: 'desc',
  })
  return (
    <Button component={Link} href={href} variant="default" size="compact-sm">
      <IconFileSearch className={classes.openSign} size={16} stroke={1.5} aria-hidden />
      <span className={classes.openWords}>Show files</span>
    </Button>
  )
}
