import type { Volume } from '#events/snapshots.ts'
import { CallError } from '#client/app/call.ts'
import { fieldErrors } from '#client/app/form.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { daysAreIn, timeZone } from '#client/ui/text/timeZone.ts'
import { useEverOpen } from '#client/ui/useEverOpen.ts'
import type { FilterForm } from './filterForm.ts'
import { canonicalName, type FilterName, type FilterParams, filterLabels, paramOf } from './filterNames.ts'
import { MeasureFields } from './MeasureFields.tsx'
import { PeopleFields } from './PeopleFields.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import classes from './FilterCard.module.css'

type FilterCardProps = {
  isOpen: boolean
  params: FilterParams
  set: (change: FilterParams) => void
  /** Error of the last search, shown at the filter it names. */
  error: Error | undefined
  volumes: readonly Volume[]
}

/**
 * All filters of the search. Typed text is applied after a delay, selections immediately. The inputs are rendered when
 * the card is first opened, since they would take most of the time of every search.
 */
export function FilterCard({ isOpen, ...props }: FilterCardProps) {
  const wasOpen = useEverOpen(isOpen)
  return (
    <section className={classes.card} aria-label="Filters" hidden={!isOpen}>
      {wasOpen && <Fields {...props} />}
    </section>
  )
}

function Fields({ params, set, error, volumes }: Omit<FilterCardProps, 'isOpen'>) {
  const form: FilterForm = { params, set, errors: serverErrors(error), volumes }
  return (
    <>
      <fieldset className={classes.group}>
        <legend>Name and place</legend>
        <PlaceFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>People and tags</legend>
        <PeopleFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend title={daysAreIn}>Dates ({timeZone})</legend>
        <DateFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Size and counts</legend>
        <MeasureFields form={form} />
      </fieldset>
    </>
  )
}

function serverErrors(error: Error | undefined): FilterForm['errors'] {
  if (!(error instanceof CallError)) return {}
  const named = error.subErrors.map(({ field, message }) => ({ field: field.split('.')[0] ?? '', message }))
  return Object.fromEntries(
    Object.entries(fieldErrors(named)).map(([field, message]) => [canonicalName(field as FilterName), message]),
  )
}

const dateNames = [
  'creationAfter',
  'creationBefore',
  'lastAccessAfter',
  'lastAccessBefore',
  'lastModifiedAfter',
  'lastModifiedBefore',
  'backupAfter',
  'backupBefore',
] as const

/** Date ranges. Only archives have backup dates. */
function DateFields({ form }: { form: FilterForm }) {
  return dateNames.map((name) => (
    <DayInput
      key={name}
      label={filterLabels[name]}
      value={paramOf(form.params, name) || null}
      onCommit={(day) => form.set({ [name]: [day ?? ''] })}
      clearable
      clearLabel={`Clear ${filterLabels[name]}`}
      error={form.errors[name]}
    />
  ))
}
