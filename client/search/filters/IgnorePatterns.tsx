import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { filterError } from '#client/parts/searched/searchAddress.ts'
import type { FilterForm } from './filterForm.ts'
import { useDebouncedInput } from './useDebouncedInput.ts'
import classes from './Filters.module.css'

/** Patterns of files to exclude. */
export function IgnorePatterns({ form }: { form: FilterForm }) {
  const patterns = form.params.ignorePattern ?? []
  const [blank, setBlank] = useState(patterns.length === 0 ? 1 : 0)
  const rows = [...patterns, ...Array.from({ length: Math.max(blank, patterns.length === 0 ? 1 : 0) }, () => '')]
  const commit = (at: number, text: string) => {
    if (at >= patterns.length) setBlank(Math.max(0, blank - 1))
    form.set({ ignorePattern: rows.with(at, text).filter((row) => row !== '') })
  }
  const remove = (at: number) => {
    if (at >= patterns.length) setBlank(blank - 1)
    else form.set({ ignorePattern: patterns.toSpliced(at, 1) })
  }
  return (
    <fieldset className={classes.rows}>
      <legend>Ignore patterns</legend>
      {rows.map((pattern, at) => (
        <div key={`${at} ${pattern}`} className={classes.row}>
          <Pattern number={at + 1} pattern={pattern} onChange={(text) => commit(at, text)} />
          {at > 0 && (
            <ActionIcon variant="subtle" aria-label={`Remove ignore pattern ${at + 1}`} onClick={() => remove(at)}>
              <IconX size={16} stroke={1.5} />
            </ActionIcon>
          )}
        </div>
      ))}
      {form.errors.ignorePattern && <p className="critical small">{form.errors.ignorePattern}</p>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.5} />}
        onClick={() => setBlank(blank + 1)}
      >
        Add another
      </Button>
    </fieldset>
  )
}

function Pattern({ number, pattern, onChange }: { number: number; pattern: string; onChange: (text: string) => void }) {
  const { field, error } = useDebouncedInput(pattern, onChange, (text) => filterError('ignorePattern', text))
  return <TextInput {...field} aria-label={`Ignore pattern ${number}`} placeholder="*.tmp" error={error} />
}
