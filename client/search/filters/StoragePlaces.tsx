import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { readPlace } from '#events/search/filters.ts'
import { filterError } from '#client/parts/searched/searchAddress.ts'
import type { FilterForm } from './filterForm.ts'
import { useDebouncedInput } from './useDebouncedInput.ts'
import classes from './Filters.module.css'

/** Folders that limit the search. */
export function StoragePlaces({ form }: { form: FilterForm }) {
  const places = form.params.storageAndPath ?? []
  const [isAdding, add] = useState(false)
  const rows = isAdding ? [...places, ''] : places
  const commit = (at: number, place: string) => {
    add(false)
    form.set({ storageAndPath: rows.with(at, place).filter((row) => row !== '') })
  }
  return (
    <fieldset className={classes.rows}>
      <legend>Storages and paths</legend>
      {rows.map((place, at) => (
        <PlaceRow
          key={at}
          number={at + 1}
          place={place}
          form={form}
          onChange={(place) => commit(at, place)}
          onRemove={() => commit(at, '')}
        />
      ))}
      {form.errors.storageAndPath && <p className="critical small">{form.errors.storageAndPath}</p>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.5} />}
        disabled={isAdding}
        onClick={() => add(true)}
      >
        Add a storage and path
      </Button>
    </fieldset>
  )
}

type PlaceRowProps = {
  number: number
  place: string
  form: FilterForm
  onChange: (place: string) => void
  onRemove: () => void
}

function PlaceRow({ number, place, form, onChange, onRemove }: PlaceRowProps) {
  const { volumeId, path } = readPlace(place)
  const isKnown = form.volumes.some(({ id }) => id === volumeId)
  const { field, error } = useDebouncedInput(
    path,
    (text) => onChange(`${volumeId}:${text === '' ? '/' : text}`),
    (text) => filterError('startingPath', text)?.replace('Starting path', 'The path'),
  )
  return (
    <div className={classes.place}>
      <NativeSelect
        aria-label={`Storage ${number}`}
        value={place === '' ? '' : String(volumeId)}
        onChange={({ currentTarget }) => onChange(`${currentTarget.value}:${path}`)}
        error={place !== '' && !isKnown && form.volumes.length > 0 && 'Invalid'}
        data={[
          { value: '', label: 'Choose a storage', disabled: true },
          ...form.volumes.map(({ id, name }) => ({ value: String(id), label: name })),
          ...(place !== '' && !isKnown ? [{ value: String(volumeId), label: `Storage ${volumeId}` }] : []),
        ]}
      />
      <TextInput {...field} aria-label={`Path ${number}`} disabled={place === ''} error={error} />
      <ActionIcon variant="subtle" aria-label={`Remove storage and path ${number}`} onClick={onRemove}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
