import { Checkbox } from '@mantine/core'
import { type SettingProps, useSetting } from './useSetting.ts'
import classes from './Actions.module.css'

/** Decides whether an agent or the transfer service deletes moved files. */
export function MoveSetting(props: SettingProps) {
  const { value, busy, change } = useSetting('sodaDeletesMovedFiles', props)
  const isOn = value === 'true'
  return (
    <Checkbox
      className={classes.setting}
      label="Let the transfer service delete moved files"
      description="If this is off, the service only copies, and an agent deletes each file after it has verified the copy. If this is on, the service deletes the files, and DataIntell does not verify the copies first."
      checked={isOn}
      disabled={busy}
      onChange={() => change(String(!isOn))}
    />
  )
}
