import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { Volume } from '#events/snapshots.ts'
import { CallError } from '../../app/call.ts'
import type { GoSearch } from '../useSearchAddress.ts'
import { faultOfCriteria, isTooLong } from './criteriaOf.ts'
import { criteriaText, readGroup, sentenceOf } from './criteriaText.ts'
import type { Group } from './draft.ts'
import { GroupEditor } from './GroupEditor.tsx'
import classes from './Advanced.module.css'

const pause = 1_000

type AdvancedSearchProps = {
  criteria: string
  go: GoSearch
  /** Why the last search failed. */
  error: Error | undefined
  volumes: readonly Volume[]
}

/** Conditions in any arrangement of AND and OR. What is typed is searched for after a pause, all else at once. */
export function AdvancedSearch({ criteria, go, error, volumes }: AdvancedSearchProps) {
  const [draft, setDraft] = useState<{ criteria: string; group: Group }>(() => ({
    criteria,
    group: readGroup(criteria),
  }))
  if (draft.criteria !== criteria) setDraft({ criteria, group: readGroup(criteria) })
  const give = (group: Group) => {
    const next = criteriaText(group)
    if (next === criteria || faultOf(next) !== undefined) return
    setDraft({ criteria: next, group })
    go({ criteria: next })
  }
  const giveSoon = useDebouncedCallback(give, pause)
  const change = (group: Group, isTyped: boolean) => {
    setDraft({ criteria, group })
    if (isTyped) return giveSoon(group)
    giveSoon.cancel()
    give(group)
  }
  const nameOf = (id: string) => volumes.find((volume) => String(volume.id) === id)?.name
  const fault = faultOf(criteriaText(draft.group)) ?? refusalOf(error)
  return (
    <section className={classes.card} aria-label="Conditions">
      <GroupEditor group={draft.group} depth={1} volumes={volumes} onChange={change} />
      {fault !== undefined && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
      <output className={classes.sentence} aria-label="In words">
        {sentenceOf(draft.group, nameOf) || 'No condition is complete: everything is found.'}
      </output>
    </section>
  )
}

const faultOf = (criteria: string): string | undefined =>
  isTooLong(criteria)
    ? 'These conditions are too long for an address: the last change is not searched for. Take some out, or write less in them.'
    : faultOfCriteria(criteria)

function refusalOf(error: Error | undefined): string | undefined {
  if (!(error instanceof CallError) || error.subErrors.length === 0) return undefined
  return error.subErrors.map(({ field, message }) => `${field.split('.').slice(-2).join(' ')} ${message}`).join('; ')
}
