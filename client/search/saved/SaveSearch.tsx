import { Checkbox, TextInput } from '@mantine/core'
import { type SavedSearch, SavedSearchDraft, savedSearches } from '#events/search/savedSearches.ts'
import { useQuery } from '#client/app/address.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { savedQuery } from './savedQuery.ts'

type SaveSearchProps = { edited: SavedSearch | 'new' | undefined; onClose: () => void }

const savedSearchForm = defineForm({
  schema: SavedSearchDraft,
  fields: { name: '', query: '', isShared: false, isReplaced: false },
  fromRow: ({ name, query, isShared }: SavedSearch) => ({ name, query, isShared, isReplaced: false }),
  toDraft: ({ isReplaced: _, ...draft }) => draft,
})

/** Saves the search in the URL under a name, or renames a saved search. */
export function SaveSearch({ edited, onClose }: SaveSearchProps) {
  const title = edited === 'new' ? 'Save this search' : 'Edit saved search'
  return (
    <FormDialog opened={edited !== undefined} title={title} onClose={onClose}>
      {edited && <Fields edited={edited} onClose={onClose} />}
    </FormDialog>
  )
}

function Fields({ edited, onClose }: { edited: SavedSearch | 'new'; onClose: () => void }) {
  const here = savedQuery(useQuery()[0])
  const { form, busy, submit } = useSavedForm({
    form: savedSearchForm,
    initialValues: edited === 'new' ? { ...savedSearchForm.fields, query: here } : savedSearchForm.initial(edited),
    save: async (draft, { isReplaced }) => {
      const body = edited !== 'new' && isReplaced ? { ...draft, query: here } : draft
      await saveRow(callsOf(savedSearches), edited, body)
      onClose()
      toast({ kind: 'success', message: `Search ${draft.name.trim()} was saved` })
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save" onClose={onClose}>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <Checkbox
        label="Share with everyone"
        description="Everyone who is signed in can see it; only you and administrators can change it."
        disabled={busy}
        {...form.getInputProps('isShared', { type: 'checkbox' })}
      />
      {edited !== 'new' && edited.query !== here && (
        <Checkbox
          label="Replace it with the search on screen"
          disabled={busy}
          {...form.getInputProps('isReplaced', { type: 'checkbox' })}
        />
      )}
      {form.errors['query'] && <p className="critical small">{form.errors['query']}</p>}
    </DialogForm>
  )
}
