import { Button } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '#client/app/links.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { Toolbar } from '#client/ui/Toolbar.tsx'
import { visible } from '#client/ui/text/visible.ts'
import type { SearchAddress } from '#client/parts/searched/searchAddress.ts'
import { chipTexts, clearedFilter } from '#client/parts/searched/chipTexts.ts'
import type { FilterMenuName } from './filterForm.ts'
import type { FilterName, FilterParams } from '#client/parts/searched/filterNames.ts'
import classes from '#client/search/SearchPage.module.css'

/** Maximum number of storages with links to their analytics. */
const maxLinked = 10

/** Chips with a menu, and the filters that each of them shows. `More` has all others, which are chips of their own. */
const menus = {
  Storage: ['volumeId'],
  'Last access': ['lastAccessAfter', 'lastAccessBefore'],
  Size: ['minimumSize', 'maximumSize'],
  More: [],
} as const satisfies Record<FilterMenuName, FilterName[]>

const loadMenu = () => import('./FilterMenu.tsx').then((m) => m.FilterMenu)

type FilterChipsProps = {
  address: SearchAddress
  volumes: readonly Volume[]
  set: (change: FilterParams) => void
  onClear: () => void
  /** Error of the last search. */
  error: Error | undefined
}

/** Filters apart from the search text, in one line. Each can be removed, or all of them together with the text. */
export function FilterChips({ address, volumes, set, onClear, error }: FilterChipsProps) {
  const { params, filters, tab } = address
  const links = useLinks()
  const found = volumes.filter(({ id }) => filters.volumeId.includes(id)).slice(0, maxLinked)
  const chips = chipTexts(params, volumes.length === 0 ? undefined : volumes)
  const inMenus: readonly FilterName[] = Object.values(menus).flat()
  const remove = (chips: readonly { name: FilterName }[]) =>
    set(Object.assign({}, ...chips.map(({ name }) => clearedFilter(name))))
  const content = { params, set, error, volumes, isOfFolders: tab === 'folders' }
  return (
    <>
      <Toolbar label="Filters" className={classes.chips}>
        <ul className="row gap-8" aria-label="Filters">
          {Object.entries(menus).map(([menu, names]) => {
            const own = chips.filter(({ name }) => names.some((one) => one === name))
            const text = own.map(({ text }) => text).join(', ')
            return (
              <Chip key={menu} chips={own} onRemove={() => remove(own)}>
                <LazyPopover load={loadMenu} opens="dialog" content={{ ...content, menu: menu as FilterMenuName }}>
                  <button type="button" className="inline gap-4 shrink hover-text sides-8" title={text || undefined}>
                    <span className="truncate">{text ? visible(text) : menu}</span>
                    <IconChevronDown className="fixed" size={14} stroke={1.5} aria-hidden />
                  </button>
                </LazyPopover>
              </Chip>
            )
          })}
          {chips
            .filter(({ name }) => !inMenus.includes(name))
            .map((chip) => (
              <Chip key={chip.name} chips={[chip]} onRemove={() => remove([chip])}>
                <span className="truncate pre sides-8" title={chip.text}>
                  {visible(chip.text)}
                </span>
              </Chip>
            ))}
          {found.map((volume) => (
            <li key={volume.id} className="fixed small">
              <Link href={links.volume(volume.id)}>
                See analytics of storage{found.length > 1 && ` ${volume.name}`}
              </Link>
            </li>
          ))}
        </ul>
      </Toolbar>
      {chips.length > 0 && (
        <Button className="fixed" variant="subtle" size="compact-sm" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </>
  )
}

type ChipProps = { chips: ReturnType<typeof chipTexts>; onRemove: () => void; children: ReactNode }

function Chip({ chips, onRemove, children }: ChipProps) {
  return (
    <li
      className={classes.chip}
      data-set={chips.length > 0 || undefined}
      data-wrong={chips.some(({ isInvalid }) => isInvalid) || undefined}
    >
      {children}
      {chips.length > 0 && (
        <button
          type="button"
          className="inline fixed muted radius-4 hover-text"
          aria-label={`Remove ${chips.map(({ text }) => text).join(', ')}`}
          onClick={onRemove}
        >
          <IconX size={14} stroke={1.5} aria-hidden />
        </button>
      )}
    </li>
  )
}
