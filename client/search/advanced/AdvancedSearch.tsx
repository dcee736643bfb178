import { useState } from 'react'
import { useTypedCallback } from '#client/ui/form/composition.ts'
import type { Volume } from '#events/snapshots.ts'
import type { Group } from '#events/search/string-format/conditions.ts'
import { criteriaText, readGroup } from '#events/search/string-format/criteriaText.ts'
import { QueryBuilder } from '#client/parts/query-builder/QueryBuilder.tsx'
import { type ChangeSearch, isTooLong } from '#client/parts/searched/searchAddress.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'

/** Delay between typing and searching, in milliseconds. */
const debounceMs = 1_000

type AdvancedSearchProps = {
  criteria: string
  changeSearch: ChangeSearch
  volumes: readonly Volume[]
}

/** Query builder for the criteria in the URL. Typed text is applied after a delay, other changes immediately. */
export function AdvancedSearch({ criteria, changeSearch, volumes }: AdvancedSearchProps) {
  const [draft, setDraft] = useState<{ criteria: string; group: Group }>(() => ({
    criteria,
    group: readGroup(criteria),
  }))
  if (draft.criteria !== criteria) setDraft({ criteria, group: readGroup(criteria) })
  const submit = (group: Group) => {
    const next = criteriaText(group)
    if (next === criteria || errorOf(next) !== undefined) return
    setDraft({ criteria: next, group })
    changeSearch({ criteria: next })
  }
  const submitSoon = useTypedCallback(submit, debounceMs)
  const edit = (group: Group, isTyping: boolean) => {
    setDraft({ criteria, group })
    if (isTyping) return submitSoon(group)
    submitSoon.cancel()
    submit(group)
  }
  const error = errorOf(criteriaText(draft.group))
  return <QueryBuilder group={draft.group} volumes={volumes} error={error} onChange={edit} />
}

const errorOf = (criteria: string): string | undefined =>
  isTooLong(criteria)
    ? 'These conditions are too long for a URL, so the last change was not applied. Remove or shorten some of them.'
    : criteriaError(criteria)
