import { type SavedSearch, SavedSearchDraft, savedSearches } from '#events/search/savedSearches.ts'
import { useQuery } from '#client/app/address.ts'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { drawnBefore, type InDialog } from '#client/parts/settings-table/form.ts'
import { RowDialog } from '#client/parts/settings-table/TableDialogs.tsx'
import { savedQuery } from './savedQuery.ts'

const savedSearchForm = describeForm<SavedSearch, SavedSearchDraft>()({
  schema: SavedSearchDraft,
  fields: {
    name: { label: 'Name', initial: '' },
    isShared: {
      label: 'Share with everyone',
      errorLabel: 'Is shared',
      description: 'All users without limits can see it. Only you and administrators can change it.',
      kind: 'checkbox',
      initial: false as boolean,
    },
    isReplaced: {
      label: 'Replace it with the search on screen',
      kind: 'checkbox',
      isShown: ({ onScreen }, edited) => edited !== 'new' && edited.query !== onScreen,
      initial: false as boolean,
      to: null,
      read: () => false,
    },
    query: {
      label: 'Query',
      kind: 'drawn',
      draw: ({ form }) => form.errors['query'] && <p className="critical small">{form.errors['query']}</p>,
      initial: '',
      write: (query, { isReplaced, onScreen }, edited) => (edited === 'new' || isReplaced ? onScreen : query),
    },
    /** The search in the URL. */
    onScreen: { ...drawnBefore, label: 'Query', initial: '', to: null, read: () => '' },
  },
  saved: ({ name }) => `Search ${name.trim()} was saved`,
})

const opens: InDialog<SavedSearch> = {
  at: 'dialog',
  title: (edited) => (edited === 'new' ? 'Save this search' : 'Edit saved search'),
  saves: () => 'Save',
}

type SaveSearchProps = { edited: SavedSearch | 'new' | undefined; onClose: () => void }

/** Saves the search in the URL under a name, or renames a saved search. */
export function SaveSearch({ edited, onClose }: SaveSearchProps) {
  const onScreen = savedQuery(useQuery()[0])
  return (
    <RowDialog
      form={savedSearchForm}
      {...{ opens, edited, onClose }}
      calls={callsOf(savedSearches)}
      initial={{ onScreen }}
      onSaved={() => {}}
    />
  )
}
