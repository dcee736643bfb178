import { IconAlertTriangle } from '@tabler/icons-react'
import type { Volume } from '#events/snapshots.ts'
import { chipTexts } from '../chipTexts.ts'
import type { SearchAddress } from '../searchAddress.ts'
import { leftOutOf } from './criteriaOfFilters.ts'
import classes from '../SearchPage.module.css'

/** The filters of the address that conditions cannot ask; they hold again where the advanced search is left. */
export function LeftOut({ address, volumes }: { address: SearchAddress; volumes: readonly Volume[] }) {
  const { words, filters } = address
  const left = Object.fromEntries(leftOutOf(filters).map((name) => [name, words[name]]))
  const texts = chipTexts(left, volumes.length === 0 ? undefined : volumes).map(({ text }) => shortened(text))
  if (texts.length === 0) return null
  return (
    <output className={classes.wrong}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>Left out of the conditions, which cannot ask for it: {texts.join('; ')}.</span>
    </output>
  )
}

const longest = 200

/** What has no room in conditions may have none on the screen either. */
const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`
