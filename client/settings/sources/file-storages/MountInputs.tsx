import { Radio, TextInput } from '@mantine/core'
import { useCredentials } from './networkCredentials.ts'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { type FileStorageForm, isShare, type MountType } from './fileStorageForm.ts'
import classes from './FileStorages.module.css'

type MountInputsProps = {
  form: FileStorageForm
  busy: boolean
  /** Mount types to choose from. A storage can't change between local and shared. */
  mountTypes: readonly MountType[]
  /** Opens a form for new credentials. If undefined, users add them in their table. */
  onNewCredentials?: () => void
}

/** The way to reach the folder of a storage. */
export function MountInputs({ form, busy, mountTypes, onNewCredentials }: MountInputsProps) {
  const { mountType, path } = form.values
  const select = (selected: MountType) => {
    form.setFieldValue('mountType', selected)
    // A share is scanned from its root by default; the root of a machine is rarely intended.
    if (isShare(selected) && path === '') form.setFieldValue('path', '/')
    if (!isShare(selected) && path === '/') form.setFieldValue('path', '')
  }
  return (
    <>
      <Radio.Group label="Mount Type" value={mountType} onChange={(value) => select(value as MountType)}>
        <div className={classes.radios}>
          {mountTypes.map((type) => (
            <Radio key={type} value={type} label={type} disabled={busy} />
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
            description="Mount options as in mount.cifs(8) or nfs(5). The agent always mounts read-only and with noexec."
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
