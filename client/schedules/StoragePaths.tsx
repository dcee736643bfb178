import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FormOfSchedule, ScheduleFields } from './scheduleForm.ts'
import { optionsWith } from './useScanTargets.ts'
import classes from './Schedules.module.css'

type StoragePathsProps = { form: FormOfSchedule; known: Parameters<typeof optionsWith>[0]; busy: boolean }
type Row = ScheduleFields['paths'][number]

const nothing: Row = { id: '', path: '/' }

/** Storages, each with the folder to scan. A storage appears only once. */
export function StoragePaths({ form, known, busy }: StoragePathsProps) {
  const { paths } = form.values
  const rows = paths.length === 0 ? [nothing] : paths
  const chosen = rows.map(({ id }) => id)
  const options = optionsWith(known, chosen)
  const set = (rows: Row[]) => form.setFieldValue('paths', rows)
  return (
    <fieldset className={classes.paths} disabled={busy}>
      <legend>Storages</legend>
      {rows.map((row, at) => (
        <PathRow
          key={at}
          number={at + 1}
          row={row}
          options={options.filter(({ value }) => value === row.id || !chosen.includes(value))}
          onChange={(changed) => set(rows.with(at, changed))}
          onRemove={() => set(rows.toSpliced(at, 1))}
        />
      ))}
      {form.errors['paths'] && <p className="critical small">{form.errors['paths']}</p>}
      <Button
        className={classes.addPath}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.5} />}
        disabled={chosen.includes('')}
        onClick={() => set([...rows, nothing])}
      >
        Add a storage
      </Button>
    </fieldset>
  )
}

type PathRowProps = {
  number: number
  row: Row
  options: { value: string; label: string }[]
  onChange: (row: Row) => void
  onRemove: () => void
}

function PathRow({ number, row, options, onChange, onRemove }: PathRowProps) {
  return (
    <div className={classes.path}>
      <NativeSelect
        aria-label={`Storage ${number}`}
        data={[{ value: '', label: 'Choose a storage', disabled: true }, ...options]}
        value={row.id}
        onChange={({ currentTarget }) => onChange({ ...row, id: currentTarget.value })}
      />
      <TextInput
        aria-label={`Path on storage ${number}`}
        value={row.path}
        onChange={({ currentTarget }) => onChange({ ...row, path: currentTarget.value })}
      />
      <ActionIcon aria-label={`Leave out storage ${number}`} onClick={onRemove}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
