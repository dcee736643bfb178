import { useDebouncedValue } from '@mantine/hooks'
import { searchEntriesSizes } from '#events/search/criteria.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { CallError } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import type { Group } from '#events/search/string-format/conditions.ts'
import { criteriaError } from './criteria.ts'
import { criteriaText, readValue } from '#events/search/string-format/criteriaText.ts'
import classes from './QueryBuilder.module.css'

/** Delay between a change and counting. */
const debounceMs = 300

/** Number of matching files and folders, updated while editing. An outdated count is dimmed. */
export function MatchCount({ group }: { group: Group }) {
  const { at } = useActiveDate()
  const criteria = criteriaText(group)
  const [debouncedCriteria] = useDebouncedValue(criteria, debounceMs)
  const isValid = criteriaError(debouncedCriteria) === undefined
  const input = isValid ? { query: at, body: JSON.parse(debouncedCriteria) } : undefined
  const totals = useRemote(searchEntriesSizes, input, 'snapshots', 'tags')
  const isOld = totals.loading || criteria !== debouncedCriteria || !isValid || totals.error !== undefined
  const refused = totals.error && criteria === debouncedCriteria ? refusal(totals.error) : undefined
  return (
    <div className="flex wrap baseline grow shrink gap-4-12">
      <output aria-label="Matches" aria-busy={isOld} data-old={isOld || undefined} className={classes.count}>
        {totals.data && (
          <>
            <Count of={totals.data.count} one="file or folder" many="files and folders" /> ·{' '}
            <Size bytes={totals.data.size} />
          </>
        )}
      </output>
      <span className="muted">{incompleteWords(group)}</span>
      {totals.error && refused === undefined && <InlineFailure error={totals.error} retry={totals.retry} />}
      {refused !== undefined && (
        <p className="critical break" role="alert">
          {refused}
        </p>
      )}
    </div>
  )
}

function incompleteWords(group: Group): string {
  const all = conditionsIn(group)
  const count = all.filter((condition) => readValue(condition) === undefined).length
  if (count === all.length) return 'No complete conditions yet. Everything matches.'
  if (count === 0) return ''
  return count === 1 ? '1 incomplete condition is ignored.' : `${count} incomplete conditions are ignored.`
}

const conditionsIn = ({ conditions, groups }: Group): Group['conditions'] => [
  ...conditions,
  ...groups.flatMap(conditionsIn),
]

/** The server's error for a condition. */
function refusal(error: Error): string | undefined {
  if (!(error instanceof CallError) || error.subErrors.length === 0) return undefined
  return error.subErrors.map(({ field, message }) => `${field.split('.').slice(-2).join(' ')} ${message}`).join('; ')
}
