import { Popover, TextInput } from '@mantine/core'
import { cloneElement, type ComponentProps, type ReactNode, useState } from 'react'
import { entryFields } from '#events/entries/fields.ts'
import { filterRanges } from '#events/search/filterRanges.ts'
import { isKnownOf } from '#events/sources/kinds.ts'
import { CallError } from '#client/app/call.ts'
import { fieldErrors } from '#client/app/form.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { daysAreIn, timeZone } from '#client/ui/text/timeZone.ts'
import { DateFilter } from './DateFilter.tsx'
import type { FilterForm, FilterMenuName } from './filterForm.ts'
import { canonicalName, type FilterName, paramOf } from '#client/parts/searched/filterNames.ts'
import { MeasureFields } from './MeasureFields.tsx'
import { OptionList } from './OptionList.tsx'
import { PeopleFields } from './PeopleFields.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import { SizeFilter } from './SizeFilter.tsx'
import classes from './Filters.module.css'

type FilterMenuProps = Omit<FilterForm, 'errors' | 'close'> & {
  menu: FilterMenuName
  /** Error of the last search, shown at the filter it names. */
  error: Error | undefined
}

const contents: Record<FilterMenuName, (props: { form: FilterForm }) => ReactNode> = {
  Storage: StorageOptions,
  'Last access': ({ form }) => <DateFilter form={form} field="lastAccess" />,
  Size: ({ form }) => <SizeFilter form={form} field="size" />,
  More: ({ form: { close: _, ...form } }) => <OtherFilters form={form} />,
}

/** Menu of a chip, with its filters. Typed text is applied after a delay, selections immediately. */
export function FilterMenu({ button, menu, error, ...shared }: ComponentProps<PopoverContent<FilterMenuProps>>) {
  const [isOpen, open] = useState(false)
  const Content = contents[menu]
  const form: FilterForm = { ...shared, errors: serverErrors(error), close: () => open(false) }
  return (
    <Popover
      opened={isOpen}
      onChange={open}
      position="bottom-start"
      width={menu === 'More' ? 'min(720px, 100vw - 24px)' : 260}
      trapFocus
    >
      <Popover.Target>{cloneElement(button, { onClick: () => open(!isOpen) })}</Popover.Target>
      <Popover.Dropdown className={classes.menu} aria-label={menu} data-wide={menu === 'More' || undefined}>
        {isOpen && <Content form={form} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function serverErrors(error: Error | undefined): FilterForm['errors'] {
  if (!(error instanceof CallError)) return {}
  const named = error.subErrors.map(({ field, message }) => ({ field: field.split('.')[0] ?? '', message }))
  return Object.fromEntries(
    Object.entries(fieldErrors(named)).map(([field, message]) => [canonicalName(field as FilterName), message]),
  )
}

/** Longer lists can be filtered. */
const manyStorages = 8

/** Includes selected storages that no longer exist, so that they can be removed. */
function StorageOptions({ form: { params, volumes, set, errors } }: { form: FilterForm }) {
  const [typed, type] = useState('')
  const chosen = params.volumeId ?? []
  const known = volumes.map(({ id, name }) => ({ value: String(id), label: name }))
  const missing = chosen.filter((id) => !known.some(({ value }) => value === id))
  const all = [...known, ...missing.map((value) => ({ value, label: `Invalid (${value})` }))]
  const shown = all.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
  const toggle = (id: string) =>
    set({ volumeId: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] })
  return (
    <div className="stack gap-8">
      {all.length > manyStorages && (
        <TextInput
          aria-label="Find a storage"
          placeholder="Find a storage"
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
      <OptionList label="Storages" options={shown} chosen={chosen} onChoose={toggle} />
      {shown.length === 0 && <p className="muted">No storage has this name</p>}
      {errors.volumeId && <p className="critical small">{errors.volumeId}</p>}
    </div>
  )
}

/** All filters without a chip of their own. */
function OtherFilters({ form }: { form: FilterForm }) {
  const groups: [title: string, fields: ReactNode][] = [
    ['Name and place', <PlaceFields key="place" form={form} />],
    ['People and tags', <PeopleFields key="people" form={form} />],
    [`Dates (${timeZone})`, <DateFields key="dates" form={form} />],
    ['Size and state', <MeasureFields key="measures" form={form} />],
  ]
  return groups.map(([title, fields]) => (
    <fieldset key={title} className={classes.group}>
      <legend title={title.startsWith('Dates') ? daysAreIn : undefined}>{title}</legend>
      {fields}
    </fieldset>
  ))
}

/** Ranges of dates. Only archives have backup dates, so they are offered for archives, or if they are set. */
function DateFields({ form }: { form: FilterForm }) {
  const hasBackups =
    form.volumes.some(({ type }) => isKnownOf(type, entryFields.backupDate.statistic)) ||
    filterRanges.backupDate.some((name) => paramOf(form.params, name) !== '')
  return (
    <>
      <DateFilter form={form} field="lastModified" />
      <DateFilter form={form} field="creationDate" />
      {hasBackups && <DateFilter form={form} field="backupDate" />}
    </>
  )
}
