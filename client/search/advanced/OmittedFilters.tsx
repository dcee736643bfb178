import { IconAlertTriangle } from '@tabler/icons-react'
import type { Volume } from '#events/snapshots.ts'
import { chipTexts } from '#client/search/filters/chipTexts.ts'
import type { SearchAddress } from '#client/search/searchAddress.ts'
import { omittedFilters } from './criteriaOfFilters.ts'
import classes from '#client/search/SearchPage.module.css'

/** The filters of the address that conditions cannot ask; they hold again where the advanced search is left. */
export function OmittedFilters({ address, volumes }: { address: SearchAddress; volumes: readonly Volume[] }) {
  const { words, filters } = address
  const omitted = Object.fromEntries(omittedFilters(filters).map((name) => [name, words[name]]))
  const texts = chipTexts(omitted, volumes.length === 0 ? undefined : volumes).map(({ text }) => shortened(text))
  if (texts.length === 0) return null
  return (
    <output className={classes.wrong}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>Left out, because conditions cannot express it: {texts.join('; ')}.</span>
    </output>
  )
}

const maxLength = 200

/** What has no room in conditions may have none on the screen either. */
const shortened = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`
