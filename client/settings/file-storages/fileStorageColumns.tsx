import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { VolumeSetting, scanTypes } from '#events/volume-settings.ts'
import type { Column } from '../../ui/column.ts'
import { PathText } from '../../ui/PathText.tsx'
import classes from './FileStorage.module.css'

/** The ways to scan a file storage, in words. */
export const scanTypeWords: Record<(typeof scanTypes)[number], string> = {
  VOLUME_MULTITHREAD: 'Volume multithread',
  FOLDER_MULTITHREAD: 'Folder multithread',
  HYBRID_MULTITHREAD: 'Hybrid multithread',
}

type Actions = Record<'scan' | 'edit' | 'remove', (storage: VolumeSetting) => void> & { scanning: boolean }

export const fileStorageColumns = (actions: Actions): Column<VolumeSetting>[] => [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    grows: true,
    cell: ({ name }) => <span className={classes.name}>{name}</span>,
  },
  {
    key: 'path',
    title: 'Path',
    sortable: true,
    grows: true,
    wideOnly: true,
    cell: ({ path }) => <PathText path={path} />,
  },
  {
    key: 'scanType',
    title: 'Scan Type',
    sortable: true,
    wideOnly: true,
    cell: ({ scanType }) => scanTypeWords[scanType],
  },
  { key: 'server.name', title: 'Agent', sortable: true, wideOnly: true, cell: ({ server }) => server.name },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (storage) => <RowActions storage={storage} {...actions} />,
  },
]

function RowActions({ storage, scan, edit, remove, scanning }: Actions & { storage: VolumeSetting }) {
  const { name } = storage
  return (
    <span className={classes.actions}>
      <Button
        variant="default"
        size="compact-sm"
        disabled={scanning}
        aria-label={`Scan ${name}`}
        onClick={() => scan(storage)}
      >
        Scan
      </Button>
      <ActionIcon aria-label={`Edit ${name}`} onClick={() => edit(storage)}>
        <IconPencil size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon className={classes.remove} aria-label={`Delete ${name}`} onClick={() => remove(storage)}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </span>
  )
}
