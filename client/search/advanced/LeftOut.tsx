import { IconAlertTriangle } from '@tabler/icons-react'
import type { Volume } from '#events/snapshots.ts'
import { chipTexts } from '../chipTexts.ts'
import type { FilterWords } from '../filterNames.ts'
import { filtersAlone } from './criteriaOfFilters.ts'
import classes from '../SearchPage.module.css'

/** The filters of the address that conditions cannot ask; they hold again where the advanced search is left. */
export function LeftOut({ words, volumes }: { words: FilterWords; volumes: readonly Volume[] }) {
  const left = chipTexts(Object.fromEntries(filtersAlone.map((name) => [name, words[name]])), volumes)
  if (left.length === 0) return null
  return (
    <output className={classes.wrong}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>Left out of the conditions, which cannot ask for it: {left.map(({ text }) => text).join('; ')}.</span>
    </output>
  )
}
