import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useState } from 'react'
import { type ArchiwareMapping, archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { SettingsTable, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { MappingDialog } from './MappingDialog.tsx'
import classes from './Mappings.module.css'

/** Mappings of storage paths to paths of P5 clients, for all storages and for single ones. */
export function Mappings() {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <TableTitle>Storage Path Configurations</TableTitle>
      <GlobalMapping />
      <TableTitle>Individual Storage Path Configurations</TableTitle>
      <SettingsTable table={mappingTable(() => setAdding(true))} />
      {/* The server announces the new row. */}
      <MappingDialog edited={isAdding ? 'new' : undefined} onClose={() => setAdding(false)} onSaved={() => {}} />
    </>
  )
}

const ofGlobal = { params: { volumeId: globalMapping } }

function GlobalMapping() {
  const remote = useRemote(archiwareMappings.ofVolume, ofGlobal, 'archiwareMappings')
  const [isOpen, setOpen] = useState(false)
  const [deleting, setDeleting] = useState<ArchiwareMapping>()
  return (
    <section className={classes.global} aria-label="Global Storage Path Configuration">
      <h4 className={classes.title}>Global Storage Path Configuration</h4>
      <RemoteContent remote={{ ...remote, data: remote.data === undefined ? undefined : { mapping: remote.data } }}>
        {({ mapping }) => (
          <>
            {mapping ? <Facts {...mapping} /> : <p className={classes.note}>Applies to storages without their own.</p>}
            <div className={classes.buttons}>
              <Button variant="default" onClick={() => setOpen(true)}>
                {mapping ? 'Edit global configuration' : 'Add global configuration'}
              </Button>
              {mapping && (
                <Button variant="default" onClick={() => setDeleting(mapping)}>
                  Delete global configuration
                </Button>
              )}
            </div>
            <MappingDialog
              edited={isOpen ? (mapping ?? 'newGlobal') : undefined}
              onClose={() => setOpen(false)}
              onSaved={remote.retry}
            />
          </>
        )}
      </RemoteContent>
      <ConfirmDeletion
        deleting={deleting}
        title="Delete Confirmation"
        verb="Delete configuration"
        remove={({ id }) => call(archiwareMappings.remove, { params: { id } })}
        deletedText={() => 'Global path configuration was deleted successfully'}
        onClose={() => setDeleting(undefined)}
        onDeleted={remote.retry}
      >
        Are you sure you want to delete the global path configuration?
      </ConfirmDeletion>
    </section>
  )
}

const Facts = ({ dataintellPath, archiwarePath }: ArchiwareMapping) => (
  <dl className={classes.facts}>
    <dt>DataIntell Path</dt>
    <dd>{dataintellPath}</dd>
    <dt>Archiware P5 Path</dt>
    <dd>{archiwarePath}</dd>
  </dl>
)

const mappingTable = (add: () => void): Declaration<ArchiwareMapping> => ({
  label: 'Individual Storage Path Configurations',
  rows: rowsOf(archiwareMappings.list, 'archiwareMappings'),
  sort: { field: 'id', direction: 'asc' },
  calls: { remove: callsOf(archiwareMappings).remove },
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    { key: 'volumeName', title: 'File Storage', sortable: true, cell: ({ volumeName }) => volumeName },
    {
      key: 'dataintellPath',
      title: 'DataIntell Path',
      sortable: true,
      wideOnly: true,
      cell: ({ dataintellPath }) => dataintellPath,
    },
    {
      key: 'archiwarePath',
      title: 'Archiware P5 Path',
      sortable: true,
      cell: ({ archiwarePath }) => archiwarePath,
    },
  ],
  empty: { icon: IconRoute, text: 'No file storage has a path configuration of its own.' },
  adding: { label: 'Add path configuration', open: add },
  editing: { label: ({ volumeName }) => `Edit path configuration of ${volumeName}`, Dialog: MappingDialog },
  deletion: {
    label: ({ volumeName }) => `Delete path configuration of ${volumeName}`,
    verb: 'Delete configuration',
    question: ({ volumeName }) => `Are you sure you want to delete the path configuration of ${volumeName}?`,
    deleted: () => 'File Storage path configuration was deleted successfully',
    staysOnFailure: true,
  },
})
