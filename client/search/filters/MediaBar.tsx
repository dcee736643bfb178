import { Button } from '@mantine/core'
import { searchEntriesMedia, searchMedia } from '#events/media/found.ts'
import { useRemote } from '#client/app/remote.ts'
import { coverageText, hoursText } from '#client/parts/media/mediaWords.ts'
import { requestOf, topics } from '#client/search/analytics/searchRequest.ts'
import { type ChangeSearch, isTooLong, type SearchAddress, searchedBy } from '#client/parts/searched/searchAddress.ts'
import { criteriaOfFilters } from '#client/search/advanced/criteriaOfFilters.ts'
import { hasCondition, withCondition, withoutCondition } from '#client/search/advanced/narrowedCriteria.ts'

/** Common conditions on media files. */
const presets: readonly (readonly [label: string, query: object])[] = [
  ['4K and larger', { 'metadata.video.width': { min: 3840 } }],
  ['Longer than an hour', { 'metadata.media.duration': { min: 3600.001 } }],
]

type MediaBarProps = { address: SearchAddress; indexingDate: string | undefined; changeSearch: ChangeSearch }

/** Total duration of the files that a search finds, and conditions on them. Hidden unless media files were read. */
export function MediaBar({ address, indexingDate, changeSearch }: MediaBarProps) {
  const search = { searched: searchedBy(address), indexingDate }
  const { data } = useRemote(...requestOf(search, searchMedia, searchEntriesMedia), ...topics)
  const criteria = address.criteria ?? criteriaOfFilters(address.filters)
  const isUsed = presets.some(([, query]) => hasCondition(criteria, query))
  if (address.tab === 'folders' || (!data?.read && !isUsed)) return null
  return (
    <section className="row wrap gap-8" aria-label="Media">
      {data && data.read > 0 && (
        <output aria-label="Duration">
          {hoursText(data.duration)} <span className="muted small">{coverageText(data)}</span>
        </output>
      )}
      {presets.map(([label, query]) => {
        const isOn = hasCondition(criteria, query)
        const next = isOn ? withoutCondition(criteria, query) : withCondition(criteria, query)
        return (
          <Button
            key={label}
            variant={isOn ? 'light' : 'default'}
            size="compact-sm"
            aria-pressed={isOn}
            disabled={isTooLong(next)}
            onClick={() => changeSearch({ criteria: next })}
          >
            {label}
          </Button>
        )
      })}
    </section>
  )
}
