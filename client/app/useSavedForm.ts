import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import type { EditTarget, Form } from './defineForm.ts'
import { afterPress } from '#client/ui/afterPress.ts'
import { toastFailure } from './toasts/toasts.ts'

type SavedForm<F, D, T> = {
  form: Form<F, D, T>
  /** Edited row, or 'new' by default. */
  edited?: EditTarget<T>
  /** Initial values, if they differ from those of the form. */
  initialValues?: F
  /** Sends the draft. */
  save: (draft: D, fields: F) => Promise<unknown>
  /** Also validates each field when it loses the focus. */
  checksOnBlur?: boolean
  /** Shows an error of the server. By default, a toast shows errors of no field. */
  onRefused?: (error: unknown, rejected: Record<string, string>) => void
}

/** State of a form with validation and saving. Server errors appear at their field, or as a toast. */
export function useSavedForm<F extends Record<string, unknown>, D, T = never>(options: SavedForm<F, D, T>) {
  const { form: definition, edited = 'new', initialValues = definition.initial(edited), save } = options
  const { checksOnBlur = false, onRefused = toastIfHidden } = options
  const [busy, setBusy] = useState(false)
  const form = useForm<F>({
    initialValues,
    validate: (fields) => definition.errors(fields, edited),
  })
  const saves = useRef(0)
  /** An error of the server stays until the field changes, also if the press that saved left the field. */
  const validateLeft = (field: string) => {
    const before = saves.current
    if (!form.errors[field]) afterPress(() => before === saves.current && form.validateField(field))
  }
  const getInputProps: typeof form.getInputProps = (field, options) => ({
    ...form.getInputProps(field, options),
    ...(checksOnBlur && { onBlur: () => validateLeft(field) }),
  })
  /** Saves without validation. Returns the rejected fields, empty after other errors, and undefined on success. */
  const saveNow = async (): Promise<string[] | undefined> => {
    const fields = form.getValues()
    saves.current++
    setBusy(true)
    try {
      await save(definition.toDraft(fields, edited), fields)
      return undefined
    } catch (error) {
      const rejected = definition.rejections(error, fields)
      onRefused(error, rejected)
      form.setErrors(rejected)
      return Object.keys(rejected)
    } finally {
      setBusy(false)
    }
  }
  /** Validates and saves. The first rejected field gets the focus. */
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const { errors, hasErrors } = form.validate()
    const rejected = hasErrors ? Object.keys(errors) : await saveNow()
    if (rejected) form.getInputNode(rejected[0] ?? '')?.focus()
  }
  return { form: { ...form, getInputProps }, busy, save: saveNow, submit: (event?: FormEvent) => void submit(event) }
}

export type FormState<F extends Record<string, unknown>> = ReturnType<typeof useSavedForm<F, unknown>>['form']

const toastIfHidden = (error: unknown, rejected: Record<string, string>): void => {
  if (Object.keys(rejected).length === 0) toastFailure(error)
}
