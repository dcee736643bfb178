import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CallError } from './call.ts'
import { type Labels, fieldErrors } from './form.ts'
import { toastFailure } from './toasts.ts'

type SavedForm<Fields> = {
  initialValues: Fields
  /** Errors by field; empty if the form can be submitted. */
  check: (fields: Fields) => Record<string, string>
  save: (fields: Fields) => Promise<void>
  /** Name of the input for a field of the API, if they differ. */
  shownAt?: (serverField: string) => string
  labels?: Labels | ((fields: Fields) => Labels)
}

/** A form with validation and saving. Server errors appear at their field, or as a toast. */
export function useSavedForm<Fields extends Record<string, unknown>>(options: SavedForm<Fields>) {
  const { initialValues, check, save, shownAt = (field) => field, labels } = options
  const [busy, setBusy] = useState(false)
  const form = useForm<Fields>({ initialValues, validate: check })

  const refused = (error: unknown) => {
    const subErrors = error instanceof CallError ? error.subErrors : []
    const fieldLabels = typeof labels === 'function' ? labels(form.values) : labels
    const entries = Object.entries(fieldErrors(subErrors, fieldLabels)).map(
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
