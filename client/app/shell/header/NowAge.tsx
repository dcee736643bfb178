import { useSnapshot } from 'valtio'
import { now } from '#client/app/remote.ts'
import { ageText } from '#client/ui/text/duration.ts'
import { useNow } from '#client/ui/values/clock.ts'
import picker from './SnapshotPicker.module.css'

/** `Now, 1.2 s ago`: the age of the oldest figures on screen. */
export function NowAge() {
  const time = useNow()
  const { asOf } = useSnapshot(now)
  return (
    <>
      <span className={picker.dot} aria-hidden />
      Now
      {asOf !== undefined && <span className={picker.age}>, {ageText(time - asOf)} ago</span>}
    </>
  )
}
