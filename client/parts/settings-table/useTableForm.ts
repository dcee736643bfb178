import { useMemo } from 'react'
import { type EditTarget, type Fields, defineForm } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { saveRow } from './calls.ts'
import type { Row, TableCalls } from './declaration.ts'
import type { TableForm } from './form.ts'

/** Form of a row: validates the draft, then sends it. `onSaved` receives the response to adding a row. */
export function useTableForm<T extends Row, F extends Fields, D, N>(
  declared: TableForm<T, F, D>,
  calls: TableCalls<T, D, N>,
  edited: EditTarget<T>,
  onSaved: (created: N | undefined) => void,
  initial?: Partial<F>,
) {
  const { saved, checksOnBlur = false } = declared
  const form = useMemo(() => defineForm<F, D, T>(declared), [declared])
  return useSavedForm<F, D, T>({
    form,
    edited,
    ...(initial && { initialValues: { ...form.initial(edited), ...initial } }),
    checksOnBlur,
    async save(draft, fields) {
      onSaved(await saveRow(calls, edited, draft))
      const message = saved?.(fields, edited)
      if (message) toast({ kind: 'success', message })
    },
  })
}
