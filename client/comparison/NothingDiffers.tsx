import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '../app/links.ts'
import { Notice } from '../ui/Notice.tsx'
import type { ComparedPlace } from './comparisonAddress.ts'
import classes from './Comparison.module.css'

type NothingDiffersProps = {
  place: ComparedPlace
  dates: { previous: string; now: string }
  /** The next older snapshot, if there is one. */
  older: string | undefined
  choose: (date: string) => void
}

/** Both dates have the same, and what to compare instead. */
export function NothingDiffers({ place: { volumeId }, dates: { previous, now }, older, choose }: NothingDiffersProps) {
  const links = useLinks()
  const step = () => {
    if (older !== undefined) return <Button onClick={() => choose(older)}>Compare with {older}</Button>
    if (volumeId === undefined) return null
    return (
      <Button component={Link} href={links.comparison({ previousDate: previous })} variant="default">
        Compare all storages
      </Button>
    )
  }
  return (
    <Notice icon={IconEqual} step={step()}>
      Nothing differs between <span className={classes.date}>{previous}</span> and{' '}
      <span className={classes.date}>{now}</span>.
    </Notice>
  )
}
