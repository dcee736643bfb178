import { Button, NativeSelect, Radio, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCredentials } from './choices.ts'
import { isShare, type MountType } from './fileStorageFields.ts'
import type { FileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorages.module.css'

type MountInputsProps = {
  form: FileStorageForm
  busy: boolean
  /** What may be chosen: how a storage is mounted does not change between local and shared. */
  mountTypes: readonly MountType[]
  /** Makes credentials on the way; where that is not possible they are made in their table. */
  onNewCredentials?: () => void
}

/** How the folder of a storage is reached. */
export function MountInputs({ form, busy, mountTypes, onNewCredentials }: MountInputsProps) {
  const { mountType, path } = form.values
  const choose = (chosen: MountType) => {
    form.setFieldValue('mountType', chosen)
    // All of a share is its root; the root of a machine is hardly meant.
    if (isShare(chosen) && path === '') form.setFieldValue('path', '/')
    if (!isShare(chosen) && path === '/') form.setFieldValue('path', '')
  }
  return (
    <>
      <Radio.Group label="Mount Type" value={mountType} onChange={(value) => choose(value as MountType)}>
        <div className={classes.inARow}>
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
            description="What it is mounted with beside what the agent always asks for: read only, and nothing of it may run"
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
  const choices = (data?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div className={classes.withButton}>
      <NativeSelect
        label="Credentials"
        data={[{ value: '', label: 'Guest' }, ...choices]}
        disabled={busy}
        {...form.getInputProps('credentials')}
      />
      {onNewCredentials && (
        <Button variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={onNewCredentials}>
          New credentials
        </Button>
      )}
    </div>
  )
}
