import { Radio, TextInput } from '@mantine/core'
import { useCredentials } from './networkCredentials.ts'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { isShare, type MountType } from './fileStorageFields.ts'
import type { FileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorages.module.css'

type MountInputsProps = {
  form: FileStorageForm
  busy: boolean
  /** What may be selected: how a storage is mounted does not change between local and shared. */
  mountTypes: readonly MountType[]
  /** Adds credentials on the way; where that is not possible they are added in their table. */
  onNewCredentials?: () => void
}

/** How the folder of a storage is reached. */
export function MountInputs({ form, busy, mountTypes, onNewCredentials }: MountInputsProps) {
  const { mountType, path } = form.values
  const select = (selected: MountType) => {
    form.setFieldValue('mountType', selected)
    // All of a share is its root; the root of a machine is hardly meant.
    if (isShare(selected) && path === '') form.setFieldValue('path', '/')
    if (!isShare(selected) && path === '/') form.setFieldValue('path', '')
  }
  return (
    <>
      <Radio.Group label="Mount Type" value={mountType} onChange={(value) => select(value as MountType)}>
        <div className={classes.radios}>
          {mountTypes.map((type) => (
            <Radio
              key={type}
              value={type}
              label={type}
              disabled={busy}
              {...(type === mountType && { 'data-autofocus': true })}
            />
          ))}
        </div>
      </Radio.Group>
      {isShare(mountType) && (
        <>
          <TextInput label="Host" placeholder="nas.example.com" disabled={busy} {...form.getInputProps('host')} />
          <TextInput
            label="Share Name"
            placeholder={mountType === 'SMB' ? 'projects' : '/export/projects'}
            disabled={busy}
            {...form.getInputProps('shareName')}
          />
          {mountType === 'SMB' && <Credentials form={form} busy={busy} onNewCredentials={onNewCredentials} />}
          <TextInput
            label="Options"
            description="Mount options, in addition to those the agent always sets: read-only and noexec"
            placeholder={mountType === 'SMB' ? 'vers=3.0' : 'vers=4.1'}
            disabled={busy}
            {...form.getInputProps('options')}
          />
        </>
      )}
    </>
  )
}

type CredentialsProps = Pick<MountInputsProps, 'form' | 'busy'> & { onNewCredentials: (() => void) | undefined }

function Credentials({ form, busy, onNewCredentials }: CredentialsProps) {
  const { data } = useCredentials()
  return (
    <CredentialsSelect
      known={data}
      none="Guest"
      onNew={onNewCredentials}
      disabled={busy}
      {...form.getInputProps('credentials')}
    />
  )
}
