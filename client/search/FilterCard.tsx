import type { Volume } from '#events/snapshots.ts'
import { CallError } from '../app/call.ts'
import { fieldErrors } from '../app/form.ts'
import { DateFields } from './DateFields.tsx'
import type { FilterForm } from './filterForm.ts'
import { keptName, type FilterName, type FilterWords } from './filterNames.ts'
import { MeasureFields } from './MeasureFields.tsx'
import { PeopleFields } from './PeopleFields.tsx'
import { PlaceFields } from './PlaceFields.tsx'
import classes from './FilterCard.module.css'

type FilterCardProps = {
  isOpen: boolean
  words: FilterWords
  set: (change: FilterWords) => void
  /** Why the last search failed: what the server says of a filter stands at its field. */
  error: Error | undefined
  volumes: readonly Volume[]
}

/** Every filter of the search. What is typed is searched for after a pause, what is chosen at once. */
export function FilterCard({ isOpen, words, set, error, volumes }: FilterCardProps) {
  const form: FilterForm = { words, set, refused: refusedBy(error), volumes }
  return (
    <section className={classes.card} aria-label="Filters" hidden={!isOpen}>
      <fieldset className={classes.group}>
        <legend>Name and place</legend>
        <PlaceFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>People and tags</legend>
        <PeopleFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Dates</legend>
        <DateFields form={form} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Size and counts</legend>
        <MeasureFields form={form} />
      </fieldset>
    </section>
  )
}

function refusedBy(error: Error | undefined): FilterForm['refused'] {
  if (!(error instanceof CallError)) return {}
  const named = error.subErrors.map(({ field, message }) => ({ field: field.split('.')[0] ?? '', message }))
  return Object.fromEntries(
    Object.entries(fieldErrors(named)).map(([field, message]) => [keptName(field as FilterName), message]),
  )
}
