import { useForm } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { CallError } from '#client/app/call.ts'
import { type Labels, fieldErrors } from '#client/app/form.ts'
import { toastFailure } from '#client/app/toasts.ts'

type SourceForm<F> = {
  /** What is wrong with the fields, by field. */
  check: (fields: F) => Record<string, string>
  /** The field that shows what is said of a field of the call. */
  shownAt: (field: string) => string
  labels: Labels
}

/** The fields of a source, checked as they are left. What the server refuses of them stands at its field. */
export function useSourceForm<F extends Record<string, unknown>>(initialValues: F, { check, ...said }: SourceForm<F>) {
  const [busy, setBusy] = useState(false)
  const form = useForm<F>({ initialValues, validate: check, validateInputOnBlur: true })
  /** Gives back what was rejected: fields, or none where it failed otherwise; nothing when it was saved. */
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
  /** Checks and saves what a dialog holds; of what is rejected the first field gets the focus. */
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
