import { useForm } from '@mantine/form'
import { useState } from 'react'
import { networkVolumes } from '#events/network-volumes.ts'
import { volumeSettings } from '#events/volume-settings.ts'
import { CallError, call } from '../../app/call.ts'
import { fieldErrors } from '../../app/form.ts'
import { toastFailure } from '../../app/toasts.ts'
import {
  type FileStorageFields,
  fileStorageErrors,
  isShare,
  labels,
  localDraft,
  shareDraft,
  shownAt,
} from './fileStorageFields.ts'

/** The fields of a file storage, checked as they are left. What the server refuses of them stands at its field. */
export function useFileStorageForm(initialValues: FileStorageFields) {
  const [busy, setBusy] = useState(false)
  const form = useForm<FileStorageFields>({ initialValues, validate: fileStorageErrors, validateInputOnBlur: true })
  /** Gives back what was refused: fields, or none where it failed otherwise; nothing when it was saved. */
  const saveBy = async (save: (fields: FileStorageFields) => Promise<void>): Promise<string[] | undefined> => {
    setBusy(true)
    try {
      await save(form.values)
      return undefined
    } catch (error) {
      const refused = refusals(error)
      if (Object.keys(refused).length === 0) toastFailure(error)
      form.setErrors(refused)
      return Object.keys(refused)
    } finally {
      setBusy(false)
    }
  }
  return { form, busy, saveBy }
}
export type FileStorageForm = ReturnType<typeof useFileStorageForm>['form']

function refusals(error: unknown): Record<string, string> {
  const subErrors = error instanceof CallError ? error.subErrors : []
  const said = Object.entries(fieldErrors(subErrors, labels))
  return Object.fromEntries(said.map(([field, message]) => [shownAt(field), message]))
}

/** Sets up a file storage by the call of its mount type. */
export async function createFileStorage(fields: FileStorageFields): Promise<void> {
  const { mountType } = fields
  if (isShare(mountType)) await call(networkVolumes.create, { body: shareDraft({ ...fields, mountType }) })
  else await call(volumeSettings.create, { body: localDraft(fields) })
}

/** Changes one by the call of its mount type; `id` is that of the local or of the network volume. */
export async function updateFileStorage(id: number, fields: FileStorageFields): Promise<void> {
  const { mountType } = fields
  const params = { id }
  if (isShare(mountType)) await call(networkVolumes.update, { params, body: shareDraft({ ...fields, mountType }) })
  else await call(volumeSettings.update, { params, body: localDraft(fields) })
}
