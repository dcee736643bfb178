import { Button } from '@mantine/core'
import { useState } from 'react'
import { entryFields } from '#events/entries/fields.ts'
import { filterRanges } from '#events/search/filterRanges.ts'
import { withExtension } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { isKnownOf } from '#events/sources/kinds.ts'
import { CallError } from '#client/app/call.ts'
import { fieldErrors } from '#client/app/form.ts'
import { daysAreIn, timeZone } from '#client/ui/text/timeZone.ts'
import { DateFilter } from './DateFilter.tsx'
import type { FieldsProps, FilterForm } from './filterForm.ts'
import { canonicalName, type FilterName, type FilterParams, paramOf } from './filterNames.ts'
import { MeasureFields } from './MeasureFields.tsx'
import { PeopleFields } from './PeopleFields.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import classes from './FilterCard.module.css'

export type FilterFieldsProps = {
  params: FilterParams
  set: (change: FilterParams) => void
  /** Error of the last search, shown at the filter it names. */
  error: Error | undefined
  volumes: readonly Volume[]
  isOfFolders: boolean
}

/** Inputs of all filters. Typed text is applied after a delay, selections immediately. */
export function FilterFields({ params, set, error, volumes, isOfFolders }: FilterFieldsProps) {
  const form: FilterForm = { params, set, errors: serverErrors(error), volumes, isOfFolders }
  const [isMore, setMore] = useState(false)
  const isSet = rareFilters.some((name) => params[name]?.some((value) => value !== '' && value !== withExtension))
  const hasMore = isMore || isSet || rareFilters.some((name) => form.errors[name] !== undefined)
  const each = { form, hasMore }
  return (
    <>
      <fieldset className={classes.group}>
        <legend>Name and place</legend>
        <PlaceFields {...each} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>People and tags</legend>
        <PeopleFields {...each} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend title={daysAreIn}>Dates ({timeZone})</legend>
        <DateFields {...each} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Size and state</legend>
        <MeasureFields {...each} />
      </fieldset>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.more}
        aria-expanded={hasMore}
        disabled={hasMore && !isMore}
        onClick={() => setMore(!isMore)}
      >
        {hasMore ? 'Fewer filters' : 'More filters'}
      </Button>
    </>
  )
}

/** Filters that are offered only on request, or if one of them is set. */
const rareFilters: readonly FilterName[] = [
  'storageAndPath',
  'ignorePattern',
  'group',
  'reports',
  'creationAfter',
  'creationBefore',
  'backupAfter',
  'backupBefore',
  'minimumAllocatedSize',
  'maximumAllocatedSize',
  'minimumNumberOfFiles',
  'maximumNumberOfFiles',
  'minimumNumberOfFolders',
  'maximumNumberOfFolders',
  'showOnlyDeletedFiles',
]

function serverErrors(error: Error | undefined): FilterForm['errors'] {
  if (!(error instanceof CallError)) return {}
  const named = error.subErrors.map(({ field, message }) => ({ field: field.split('.')[0] ?? '', message }))
  return Object.fromEntries(
    Object.entries(fieldErrors(named)).map(([field, message]) => [canonicalName(field as FilterName), message]),
  )
}

/** Ranges of dates. Only archives have backup dates, so they are offered for archives, or if they are set. */
function DateFields({ form, hasMore }: FieldsProps) {
  const hasBackups =
    form.volumes.some(({ type }) => isKnownOf(type, entryFields.backupDate.statistic)) ||
    filterRanges.backupDate.some((name) => paramOf(form.params, name) !== '')
  return (
    <>
      <DateFilter form={form} field="lastModified" />
      <DateFilter form={form} field="lastAccess" />
      {hasMore && <DateFilter form={form} field="creationDate" />}
      {hasMore && hasBackups && <DateFilter form={form} field="backupDate" />}
    </>
  )
}
