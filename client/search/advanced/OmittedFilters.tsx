import { IconAlertTriangle } from '@tabler/icons-react'
import { graphemes } from '#client/ui/text/graphemes.ts'
import type { Volume } from '#events/snapshots.ts'
import { chipTexts } from '#client/parts/searched/chipTexts.ts'
import type { SearchAddress } from '#client/parts/searched/searchAddress.ts'
import { omittedFilters } from './criteriaOfFilters.ts'
import classes from '#client/search/SearchPage.module.css'

/** Filters in the URL that have no equivalent condition. They apply again when the query builder is closed. */
export function OmittedFilters({ address, volumes }: { address: SearchAddress; volumes: readonly Volume[] }) {
  const { params, filters } = address
  const omitted = Object.fromEntries(omittedFilters(filters).map((name) => [name, params[name]]))
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

/** Shortens long values, which may also be too long for the screen. */
const shortened = (text: string): string =>
  text.length <= maxLength ? text : `${graphemes(text).slice(0, maxLength).join('')}…`
