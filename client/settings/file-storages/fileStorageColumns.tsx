import { Button } from '@mantine/core'
import { NoPriceBook } from '../../parts/cost/NoPriceBook.tsx'
import type { Column } from '../../ui/column.ts'
import { PathText } from '../../ui/PathText.tsx'
import { EditAction, RemoveAction, RowActions } from '../../ui/RowActions.tsx'
import { counted } from '../../ui/text/count.ts'
import { scanTypeWords } from './fileStorageWords.ts'
import type { FileStorage } from './useFileStorages.ts'
import classes from './FileStorages.module.css'

type Actions = Record<'scan' | 'edit' | 'remove', (storage: FileStorage) => void>

export const fileStorageColumns = (actions: Actions): Column<FileStorage>[] => [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  { key: 'name', title: 'Name', sortable: true, cell: ({ name }) => <span className={classes.name}>{name}</span> },
  { key: 'path', title: 'Path', sortable: true, wideOnly: true, cell: (storage) => <Place storage={storage} /> },
  {
    key: 'scanType',
    title: 'Scan Type',
    sortable: true,
    wideOnly: true,
    cell: ({ scanType }) => scanTypeWords[scanType],
  },
  { key: 'mountType', title: 'Mount Type', wideOnly: true, cell: ({ mountType }) => mountType },
  { key: 'server.name', title: 'Agent', sortable: true, wideOnly: true, cell: ({ server }) => server.name },
  {
    key: 'storagePrice.description',
    title: 'Price Book',
    sortable: true,
    wideOnly: true,
    cell: ({ storagePrice }) => storagePrice?.description ?? <NoPriceBook />,
  },
  {
    key: 'ignored',
    title: 'Ignored Paths',
    wideOnly: true,
    cell: ({ volumeIgnoreRules }) => <Rules of={volumeIgnoreRules} />,
  },
  {
    key: 'foldersOnly',
    title: 'Index Folder Only Paths',
    wideOnly: true,
    cell: ({ volumeIndexFolderOnlyPaths }) => <Rules of={volumeIndexFolderOnlyPaths} />,
  },
  { key: 'action', title: 'Action', align: 'right', cell: (storage) => <Deeds storage={storage} {...actions} /> },
]

/** Where it lies: of a share also the machine. */
function Place({ storage: { path, share } }: { storage: FileStorage }) {
  const lead =
    share?.type === 'SMB' ? `//${share.host}/${share.shareName}` : share && `${share.host}:${share.shareName}`
  return (
    <span className={classes.path}>
      <PathText path={share ? `${lead}${share.path === '/' ? '' : share.path}` : path} />
    </span>
  )
}

/** How many rules there are; which, is one hover away. */
function Rules({ of }: { of: { path: string }[] }) {
  if (of.length === 0) return <span className={classes.none}>None</span>
  return (
    <span title={of.map(({ path }) => path).join('\n')}>
      {of.length === 1 ? of[0]?.path : counted(of.length, 'path')}
    </span>
  )
}

function Deeds({ storage, scan, edit, remove }: Actions & { storage: FileStorage }) {
  const { name } = storage
  return (
    <RowActions>
      <Button variant="default" size="compact-sm" aria-label={`Scan ${name}`} onClick={() => scan(storage)}>
        Scan
      </Button>
      <EditAction label={`Edit ${name}`} onClick={() => edit(storage)} />
      <RemoveAction label={`Delete ${name}`} onClick={() => remove(storage)} />
    </RowActions>
  )
}
