import { Button } from '@mantine/core'
import { useState } from 'react'
import {
  type ArchiwareMapping,
  type ArchiwareMappingDraft,
  archiwareMappings,
} from '#events/sources/archiwareMappings.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { type InDialog, pick, type TableForm } from '#client/parts/settings-table/form.ts'
import { RowDialog } from '#client/parts/settings-table/TableDialogs.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { TryPath } from '../../../path-mappings/TryPath.tsx'
import { mappingForm } from './mappingForm.ts'
import classes from './Mappings.module.css'

const ofGlobal = { params: { volumeId: globalMapping } }

/** Card of the mapping for all storages without their own. */
export function GlobalMapping() {
  const remote = useRemote(archiwareMappings.ofVolume, ofGlobal, 'archiwareMappings')
  const [edited, edit] = useState<ArchiwareMapping | 'new'>()
  const [deleting, setDeleting] = useState<ArchiwareMapping>()
  return (
    <section className={classes.global} aria-label="Global Storage Path Configuration">
      <h4 className={classes.title}>Global Storage Path Configuration</h4>
      <RemoteContent remote={{ ...remote, data: remote.data === undefined ? undefined : { mapping: remote.data } }}>
        {({ mapping }) => (
          <>
            {mapping ? <Facts {...mapping} /> : <p className="muted">Applies to storages without their own.</p>}
            <div className="flex gap-8">
              <Button variant="default" onClick={() => edit(mapping ?? 'new')}>
                {mapping ? 'Edit global configuration' : 'Add global configuration'}
              </Button>
              {mapping && (
                <Button variant="default" onClick={() => setDeleting(mapping)}>
                  Delete global configuration
                </Button>
              )}
            </div>
          </>
        )}
      </RemoteContent>
      <RowDialog
        form={globalForm}
        opens={opens}
        calls={callsOf(archiwareMappings)}
        edited={edited}
        {...(edited === 'new' && { initial: { volume: String(globalMapping) } })}
        onClose={() => edit(undefined)}
        onSaved={remote.retry}
      />
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

/** The mapping of one storage, without the storage. */
const globalForm: TableForm<ArchiwareMapping, ArchiwareMappingDraft> = {
  ...mappingForm,
  inputs: pick(mappingForm, ['dataintellPath', 'archiwarePath']),
  isComplete: (fields) => Object.keys(mappingForm.errors(fields as typeof mappingForm.fields)).length === 0,
  extra: ({ dataintellPath, archiwarePath }) => (
    <TryPath system="Archiware P5" dataintellPath={String(dataintellPath)} externalPath={String(archiwarePath)} />
  ),
  saved: (_, edited) => `Global path configuration was ${edited === 'new' ? 'created' : 'updated'} successfully`,
}

const opens: InDialog<ArchiwareMapping> = {
  at: 'dialog',
  size: 'M',
  title: (edited) => `${edited === 'new' ? 'Add' : 'Edit'} Global Storage Path Configuration`,
  saves: () => 'Save configuration',
}
