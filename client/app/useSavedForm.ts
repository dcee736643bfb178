import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CallError } from './call.ts'
import { type Labels, fieldErrors } from './form.ts'
import { toastFailure } from './toasts.ts'

type SavedForm<Fields> = {
  initialValues: Fields
  /** What is wrong with the fields, by field; nothing when they may be sent. */
  check: (fields: Fields) => Record<string, string>
  save: (fields: Fields) => Promise<void>
  /** The field that shows what the server says of one of its own, where the two have different names. */
  shownAt?: (serverField: string) => string
  labels?: Labels | ((fields: Fields) => Labels)
}

/** A form that is checked, then saved. What the server refuses stands at its field, or in a toast when it has none. */
export function useSavedForm<Fields extends Record<string, unknown>>(options: SavedForm<Fields>) {
  const { initialValues, check, save, shownAt = (field) => field, labels } = options
  const [busy, setBusy] = useState(false)
  const form = useForm<Fields>({ initialValues, validate: check })

  const refused = (error: unknown) => {
    const subErrors = error instanceof CallError ? error.subErrors : []
    const words = typeof labels === 'function' ? labels(form.values) : labels
    const entries = Object.entries(fieldErrors(subErrors, words)).map(
      ([field, message]) => [shownAt(field), message] as const,
    )
    const shown = entries.filter(([field]) => Object.hasOwn(initialValues, field))
    if (shown.length === 0) toastFailure(error)
    form.setErrors(Object.fromEntries(shown))
  }
  const submit = form.onSubmit(
    (fields) => {
      setBusy(true)
      save(fields)
        .catch(refused)
        .finally(() => setBusy(false))
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return { form, busy, submit }
}
