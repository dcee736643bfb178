import { Button } from '@mantine/core'
import { IconChartBar, IconX } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '../app/links.ts'
import { visible } from '../parts/entry-text/EntryName.tsx'
import { chipTexts, emptied } from './chipTexts.ts'
import { type FilterWords, wordOf } from './filterNames.ts'
import type { SearchAddress } from './searchAddress.ts'
import classes from './SearchPage.module.css'

type FilterChipsProps = {
  address: SearchAddress
  volumes: readonly Volume[]
  set: (change: FilterWords) => void
  onClear: () => void
}

/** What is asked for beside the text; each filter can be taken away, and all of them with the text. */
export function FilterChips({ address, volumes, set, onClear }: FilterChipsProps) {
  const { words, filters } = address
  const links = useLinks()
  const [volume, ...others] = filters.volumeId
  const chips = chipTexts(words, volumes.length === 0 ? undefined : volumes)
  if (chips.length === 0 && wordOf(words, 'search') === '') return null
  return (
    <ul className={classes.chips} aria-label="Active filters">
      {chips.map(({ name, text, isInvalid }) => (
        <li key={name} className={classes.chip} data-wrong={isInvalid || undefined}>
          <span title={text}>{visible(text)}</span>
          <button type="button" aria-label={`Remove ${text}`} onClick={() => set(emptied(name))}>
            <IconX size={14} stroke={1.5} aria-hidden />
          </button>
        </li>
      ))}
      {volume !== undefined && others.length === 0 && (
        <li>
          <Button
            variant="default"
            size="compact-sm"
            component={Link}
            href={links.volume(volume)}
            leftSection={<IconChartBar size={16} stroke={1.5} />}
          >
            See analytics of storage
          </Button>
        </li>
      )}
      <li>
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear filters
        </Button>
      </li>
    </ul>
  )
}
