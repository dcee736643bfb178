import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { optionsWith } from '#client/parts/settings-table/IdsSelect.tsx'
import type { ScanTarget } from './useScanTargets.ts'
import classes from './Schedules.module.css'

export type Row = { id: string; path: string }

type StoragePathsProps = {
  paths: Row[]
  onChange: (paths: Row[]) => void
  error: ReactNode
  known: ScanTarget[] | undefined
  busy: boolean
}

const nothing: Row = { id: '', path: '/' }

/** Storages, each with the folder to scan. A storage appears only once. */
export function StoragePaths({ paths, onChange, error, known, busy }: StoragePathsProps) {
  const rows = paths.length === 0 ? [nothing] : paths
  const chosen = rows.map(({ id }) => id)
  const options = optionsWith(known, chosen)
  return (
    <fieldset className={classes.paths} disabled={busy}>
      <legend>Storages</legend>
      {rows.map((row, at) => (
        <PathRow
          key={at}
          number={at + 1}
          row={row}
          options={options.filter(({ value }) => value === row.id || !chosen.includes(value))}
          onChange={(changed) => onChange(rows.with(at, changed))}
          onRemove={() => onChange(rows.toSpliced(at, 1))}
        />
      ))}
      {error && <p className="critical small">{error}</p>}
      <Button
        className={classes.addPath}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.5} />}
        disabled={chosen.includes('')}
        onClick={() => onChange([...rows, nothing])}
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
