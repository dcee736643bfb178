import { useForm } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { CallError } from '#client/app/call.ts'
import { type Labels, fieldErrors } from '#client/app/form.ts'
import { toastFailure } from '#client/app/toasts.ts'

type SourceForm<F> = {
  /** Error messages by field. */
  check: (fields: F) => Record<string, string>
  /** The field that shows the message for a field of the call. */
  shownAt: (field: string) => string
  labels: Labels
}

/** The fields of a source. Each is checked when it loses the focus, and shows the server's errors for it. */
export function useSourceForm<F extends Record<string, unknown>>(initialValues: F, { check, ...said }: SourceForm<F>) {
  const [busy, setBusy] = useState(false)
  const form = useForm<F>({ initialValues, validate: check, validateInputOnBlur: true })
  /** Returns the rejected fields, empty after other errors, and undefined on success. */
  const saveBy = async (save: (fields: F) => Promise<void>): Promise<string[] | undefined> => {
    setBusy(true)
    try {
      await save(form.values)
      return undefined
    } catch (error) {
      const rejected = rejections(error, said)
      if (Object.keys(rejected).length === 0) toastFailure(error)
      form.setErrors(rejected)
      return Object.keys(rejected)
    } finally {
      setBusy(false)
    }
  }
  /** Checks and saves the fields of a dialog. The first rejected field gets the focus. */
  const submitBy = (save: (fields: F) => Promise<void>, saved: () => void) => async (event: FormEvent) => {
    event.preventDefault()
    const { errors, hasErrors } = form.validate()
    const rejected = hasErrors ? Object.keys(errors) : await saveBy(save)
    if (rejected) form.getInputNode(rejected[0] ?? '')?.focus()
    else saved()
  }
  return { form, busy, saveBy, submitBy }
}

function rejections(error: unknown, { shownAt, labels }: Pick<SourceForm<object>, 'shownAt' | 'labels'>) {
  const subErrors = error instanceof CallError ? error.subErrors : []
  const said = Object.entries(fieldErrors(subErrors, labels))
  return Object.fromEntries(said.map(([field, message]) => [shownAt(field), message]))
}
