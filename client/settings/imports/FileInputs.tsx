import { ActionIcon, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ImportFormat } from '#events/imports/formats.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { ColumnMapping } from './ColumnMapping.tsx'
import { type ExportFile, formatOptions } from './exportFile.ts'
import classes from './Imports.module.css'

const units = [
  { value: '1024', label: '1 KiB blocks (default)' },
  { value: '1', label: 'Bytes (-b)' },
  { value: '512', label: '512-byte blocks' },
  { value: '1048576', label: 'MiB (-m)' },
]

type FileInputsProps = {
  file: ExportFile
  onChange: (changes: Partial<ExportFile>) => void
  onRemove: () => void
}

/** Format, date and options of a chosen file. */
export function FileInputs({ file, onChange, onRemove }: FileInputsProps) {
  const { format } = file
  const { name } = file.file
  return (
    <fieldset className={classes.file} aria-label={name}>
      <span className={classes.name}>{name}</span>
      <Select
        label="Format"
        placeholder="Choose a format"
        data={formatOptions}
        value={format}
        allowDeselect={false}
        onChange={(chosen) => onChange({ format: chosen as ImportFormat })}
      />
      <DayInput label="Date" value={file.date} onCommit={(date) => onChange({ date })} />
      <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
      <div className={classes.options}>
        {format === 'find' && (
          <TextInput
            label="Format of -printf"
            placeholder={String.raw`%y\t%s\t%b\t%T@\t%A@\t%u\t%g\t%m\t%D\t%i\t%n\t%p\0`}
            value={file.printf}
            onChange={(event) => onChange({ printf: event.currentTarget.value })}
          />
        )}
        {format === 'du' && (
          <Select
            label="Unit of the numbers"
            data={units}
            value={file.unit}
            allowDeselect={false}
            onChange={(unit) => onChange({ unit: unit ?? '1024' })}
          />
        )}
        {format === 'csv' && file.start !== '' && (
          <ColumnMapping start={file.start} columns={file.columns} onChange={(columns) => onChange({ columns })} />
        )}
        <TextInput
          label="Root folder in the file"
          description="Leave empty for the folder that contains everything."
          placeholder="/mnt/films"
          value={file.root}
          onChange={(event) => onChange({ root: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  )
}
