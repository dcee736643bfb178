import { useForm } from '@mantine/form'
import { useState } from 'react'
import { builtInAgent } from '#events/agents.ts'
import { type VolumeSetting, VolumeSettingDraft, volumeSettings } from '#events/volume-settings.ts'
import { CallError, call } from '../../app/call.ts'
import { checkedBy, fieldErrors } from '../../app/form.ts'
import { toast, toastFailure } from '../../app/toasts.ts'

type Fields = Pick<VolumeSettingDraft, 'name' | 'path' | 'scanType' | 'server'>
const nothing: Fields = { name: '', path: '', scanType: 'VOLUME_MULTITHREAD', server: { id: builtInAgent } }

/** The fields of a file storage, checked as the server checks them, and how they are saved. */
export function useFileStorageForm(edited: VolumeSetting | 'new', saved: () => void) {
  const [busy, setBusy] = useState(false)
  const form = useForm<Fields>({
    initialValues: edited === 'new' ? nothing : pick(edited),
    validate: checkedBy(VolumeSettingDraft),
  })
  const submit = form.onSubmit(
    async (fields) => {
      setBusy(true)
      try {
        await save(edited, fields)
        saved()
        toast({ kind: 'success', message: `${fields.name.trim()} was ${edited === 'new' ? 'added' : 'updated'}` })
      } catch (error) {
        const subErrors = error instanceof CallError ? error.subErrors : []
        if (subErrors.length === 0) toastFailure(error)
        form.setErrors(fieldErrors(subErrors))
      } finally {
        setBusy(false)
      }
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'name')?.focus(),
  )
  return { form, busy, submit }
}

const pick = ({ name, path, scanType, server }: VolumeSetting): Fields => ({
  name,
  path,
  scanType,
  server: { id: server.id },
})

async function save(edited: VolumeSetting | 'new', fields: Fields): Promise<void> {
  if (edited === 'new') await call(volumeSettings.create, { body: fields })
  else
    await call(volumeSettings.update, {
      params: { id: edited.id },
      body: { ...edited, ...fields, type: 'crawl.files' },
    })
}
