import { Radio, TextInput } from '@mantine/core'
import { scanTypes } from '#events/volume-settings.ts'
import { isShare } from './fileStorageFields.ts'
import { scanTypeMeanings, scanTypeWords, threadWords } from './fileStorageWords.ts'
import type { FileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorages.module.css'

type InputsProps = { form: FileStorageForm; busy: boolean }

/** What a storage is called, and the folder that is scanned. */
export function PlaceInputs({ form, busy }: InputsProps) {
  const ofShare = isShare(form.values.mountType)
  return (
    <>
      <TextInput label="Name" disabled={busy} {...form.getInputProps('name')} />
      <TextInput
        label="Path"
        description={
          ofShare
            ? 'The folder of the share that is scanned; / is all of it'
            : "The folder as the agent's machine sees it"
        }
        placeholder="/mnt/projects"
        disabled={busy}
        {...form.getInputProps('path')}
      />
    </>
  )
}

/** How the work of a scan is split. */
export function ScanTypeInput({ form, busy }: InputsProps) {
  return (
    <Radio.Group
      label="Scan Type"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      description={threadWords}
      value={form.values.scanType}
      onChange={(value) => form.setFieldValue('scanType', value as (typeof scanTypes)[number])}
    >
      <div className={classes.choices}>
        {scanTypes.map((type) => (
          <Radio
            key={type}
            value={type}
            label={scanTypeWords[type]}
            description={scanTypeMeanings[type]}
            disabled={busy}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
