import { Checkbox } from '@mantine/core'
import { type ConfigurationEntry, configurations } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import classes from './Actions.module.css'

const name = 'sodaDeletesMovedFiles'

type MoveSettingProps = {
  entries: ConfigurationEntry[]
  /** Reads the entries again after a change. */
  updated: () => void
}

/** Decides whether an agent or the transfer service deletes moved files. */
export function MoveSetting({ entries, updated }: MoveSettingProps) {
  const entry = entries.find((entry) => entry.name === name)
  const isOn = entry?.value === 'true'
  const [busy, change] = useBusy(async () => {
    await call(configurations.update, { body: [{ name, value: String(!isOn), description: entry?.description }] })
    updated()
    toast({ kind: 'success', message: 'The configurations were updated.' }, 8_000)
  })
  return (
    <Checkbox
      className={classes.setting}
      label="Let the transfer service delete moved files"
      description="If this is off, the service only copies, and an agent deletes each file after it has verified the copy. If this is on, the service deletes the files, and DataIntell does not verify the copies first."
      checked={isOn}
      disabled={busy}
      onChange={change}
    />
  )
}
