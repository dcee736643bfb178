import { type ConfigurationEntry, type ConfigurationName, configurations } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'

export type SettingProps = {
  entries: ConfigurationEntry[]
  /** Reads the entries again after a change. */
  updated: () => void
}

/** Value of a configuration entry, and a function that saves another one. */
export function useSetting(name: ConfigurationName, { entries, updated }: SettingProps) {
  const entry = entries.find((entry) => entry.name === name)
  const [busy, change] = useBusy(async (value: string) => {
    await call(configurations.update, { body: [{ name, value, description: entry?.description }] })
    updated()
    toast({ kind: 'success', message: 'The configurations were updated.' }, 8_000)
  })
  return { value: entry?.value ?? '', busy, change }
}
