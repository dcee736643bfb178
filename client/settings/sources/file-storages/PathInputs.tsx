import { Checkbox, Radio, TextInput } from '@mantine/core'
import { scanTypes } from '#events/sources/fileStorages.ts'
import { SizeBasisInput } from '../SizeBasisInput.tsx'
import { FolderInput } from './FolderInput.tsx'
import { scanTypeDescriptions, scanTypeLabels, threadsDescription } from './scanTypes.ts'
import { type FileStorageForm, isShare } from './fileStorageForm.ts'
import classes from './FileStorages.module.css'

type InputsProps = { form: FileStorageForm; busy: boolean }

/** The name of a storage. */
export const NameInput = ({ form, busy }: InputsProps) => (
  <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
)

/** The folder to scan. */
export function PathInputs({ form, busy, volumeId }: InputsProps & { volumeId?: number }) {
  return (
    <>
      <FolderInput form={form} busy={busy} volumeId={volumeId} />
      {!isShare(form.values.mountType) && (
        <Checkbox
          label="Include file systems mounted below"
          description="Scans also enter other file systems in this folder. File systems of the kernel are never included."
          disabled={busy}
          {...form.getInputProps('includesMounted', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

/** The sizes that costs count. */
export const SizesInput = ({ form, busy }: InputsProps) => (
  <SizeBasisInput
    value={form.values.sizeBasis}
    onChange={(basis) => form.setFieldValue('sizeBasis', basis)}
    disabled={busy}
  />
)

/** The way a scan divides its work. */
export function ScanTypeInput({ form, busy }: InputsProps) {
  return (
    <Radio.Group
      label="Scan Type"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      description={threadsDescription}
      value={form.values.scanType}
      onChange={(value) => form.setFieldValue('scanType', value as (typeof scanTypes)[number])}
    >
      <div className={classes.options}>
        {scanTypes.map((type) => (
          <Radio
            key={type}
            value={type}
            label={scanTypeLabels[type]}
            description={scanTypeDescriptions[type]}
            disabled={busy}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
