import { Button } from '@mantine/core'
import { IconChartBar, IconX } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '#client/app/links.ts'
import { visible } from '#client/ui/text/visible.ts'
import type { SearchAddress } from '#client/search/searchAddress.ts'
import { chipTexts, clearedFilter } from './chipTexts.ts'
import type { FilterParams } from './filterNames.ts'
import classes from '#client/search/SearchPage.module.css'

/** Maximum number of storages with links to their analytics. */
const maxLinked = 10

type FilterChipsProps = {
  address: SearchAddress
  volumes: readonly Volume[]
  set: (change: FilterParams) => void
  onClear: () => void
}

/** Active filters, apart from the search text. Each can be removed, or all of them together with the text. */
export function FilterChips({ address, volumes, set, onClear }: FilterChipsProps) {
  const { params, filters } = address
  const links = useLinks()
  const found = volumes.filter(({ id }) => filters.volumeId.includes(id)).slice(0, maxLinked)
  const chips = chipTexts(params, volumes.length === 0 ? undefined : volumes)
  if (chips.length === 0) return null
  return (
    <ul className={`row wrap gap-8 ${classes.chips}`} aria-label="Active filters">
      {chips.map(({ name, text, isInvalid }) => (
        <li key={name} className={classes.chip} data-wrong={isInvalid || undefined}>
          <span className="ellipsis pre" title={text}>
            {visible(text)}
          </span>
          <button
            type="button"
            className="inline fixed muted radius-4 hover-text"
            aria-label={`Remove ${text}`}
            onClick={() => set(clearedFilter(name))}
          >
            <IconX size={14} stroke={1.5} aria-hidden />
          </button>
        </li>
      ))}
      {found.map((volume) => (
        <li key={volume.id}>
          <Button
            variant="default"
            size="compact-sm"
            component={Link}
            href={links.volume(volume.id)}
            leftSection={<IconChartBar size={16} stroke={1.5} />}
          >
            See analytics of storage{found.length > 1 && ` ${volume.name}`}
          </Button>
        </li>
      ))}
      <li>
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear filters
        </Button>
      </li>
    </ul>
  )
}
