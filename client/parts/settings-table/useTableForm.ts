import { useMemo } from 'react'
import { type EditTarget, type Fields, defineForm } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { saveRow } from './calls.ts'
import { type Connection, useConnectionCheck, withProblems } from './connectionCheck.ts'
import type { Row, TableCalls } from './declaration.ts'
import type { TableForm } from './form.ts'

type Options<T> = {
  /** Values that differ from those of the form. */
  initial?: Fields | undefined
  connection?: Connection<Fields, T> | undefined
}

/**
 * Form of a row: validates the draft, tries its connection, then sends it. `onSaved` receives the response to adding a
 * row. `saveAnyway` is undefined unless the connection has a problem.
 */
export function useTableForm<T extends Row, D, N>(
  declared: TableForm<T, D>,
  calls: TableCalls<T, D, N>,
  edited: EditTarget<T>,
  onSaved: (created: N | undefined) => void,
  { initial, connection }: Options<T> = {},
) {
  const { saved, checksOnBlur = false } = declared
  const form = useMemo(() => defineForm<Fields, D, T>(declared), [declared])
  const state = useSavedForm<Fields, D, T>({
    form,
    edited,
    ...(initial && { initialValues: { ...form.initial(edited), ...initial } }),
    checksOnBlur,
    async save(draft, fields) {
      if (await tried.run()) return
      onSaved(await saveRow(calls, edited, draft))
      const message = saved?.(fields, edited)
      if (message) toast({ kind: 'success', message })
    },
  })
  const tried = useConnectionCheck<Fields>({
    form: state.form,
    keyOf: (fields) => connection?.keyOf(fields) ?? null,
    async check(fields) {
      if (!connection) return {}
      // An unchanged connection needs no agent.
      const [before, now] = [form.initial(edited), fields].map((fields) => JSON.stringify(connection.keyOf(fields)))
      return edited !== 'new' && before === now ? {} : connection.check(fields, edited)
    },
  })
  const { onIgnore } = tried
  const saveAnyway =
    onIgnore &&
    (() => {
      onIgnore()
      state.submit()
    })
  return { ...state, form: withProblems(state.form, tried.problems), saveAnyway }
}
