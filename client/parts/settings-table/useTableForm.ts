import { toast } from '#client/app/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import type { Row, TableCalls } from './declaration.ts'
import { type EditTarget, type Fields, type TableForm, formErrors } from './form.ts'

/** Form of a row: validates the draft, then sends it. `onSaved` receives the response to adding a row. */
export function useTableForm<T extends Row, F extends Fields, D, N>(
  form: TableForm<T, F, D>,
  calls: TableCalls<T, D, N>,
  edited: EditTarget<T>,
  onSaved: (created: N | undefined) => void,
) {
  const { initial, draftOf, shownAt, labels, saved } = form
  return useSavedForm<F>({
    initialValues: initial(edited),
    check: (fields) => formErrors(form, fields, edited),
    ...(shownAt && { shownAt }),
    ...(labels && { labels }),
    async save(fields) {
      const draft = draftOf(fields, edited)
      const created = edited === 'new' ? await calls.create?.(draft) : undefined
      if (edited !== 'new') await calls.update?.(edited.id, draft)
      onSaved(created)
      const message = saved?.(fields, edited)
      if (message) toast({ kind: 'success', message })
    },
  })
}
