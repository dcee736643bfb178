import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ArchiwareMapping, archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { globalMapping } from '#events/sources/pathMapping.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { pick } from '#client/parts/settings-table/form.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
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
      <GlobalDialog edited={edited} onClose={() => edit(undefined)} onSaved={remote.retry} />
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

type DialogProps = { edited: ArchiwareMapping | 'new' | undefined; onClose: () => void; onSaved: () => void }

function GlobalDialog({ edited, ...props }: DialogProps) {
  const verb = edited === 'new' ? 'Add' : 'Edit'
  const title = `${verb} Global Storage Path Configuration`
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M">
      {edited && <Form edited={edited} {...props} />}
    </FormDialog>
  )
}

const newGlobal = { ...mappingForm.fields, volume: String(globalMapping) }

function Form({ edited, onClose, onSaved }: DialogProps & { edited: ArchiwareMapping | 'new' }) {
  const { form, busy, submit } = useSavedForm({
    form: mappingForm,
    edited,
    initialValues: edited === 'new' ? newGlobal : mappingForm.initial(edited),
    save: async (body) => {
      await saveRow(callsOf(archiwareMappings), edited, body)
      onSaved()
      onClose()
      const done = edited === 'new' ? 'created' : 'updated'
      toast({ kind: 'success', message: `Global path configuration was ${done} successfully` })
    },
  })
  const { values } = form
  const isIncomplete = Object.keys(mappingForm.errors(values)).length > 0
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save configuration" disabled={isIncomplete} onClose={onClose}>
      <FormInputs inputs={pick(mappingForm, ['dataintellPath', 'archiwarePath'])} {...{ form, busy, edited }} />
      <TryPath system="Archiware P5" dataintellPath={values.dataintellPath} externalPath={values.archiwarePath} />
    </DialogForm>
  )
}
