import { useState } from 'react'
import {
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  configurations,
} from '#events/configurations.ts'
import { CallError, call } from '../../app/call.ts'
import { fieldErrors } from '../../app/form.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'

/** Value, error and handlers of a setting. */
export type ConfigurationField = {
  value: string
  problem: string | undefined
  busy: boolean
  set: (value: string) => void
}

export type ConfigurationSection = {
  field: (name: ConfigurationName) => ConfigurationField
  hasChanges: boolean
  /** First error; undefined if everything can be saved. */
  problem: string | undefined
  busy: boolean
  update: () => void
  discard: () => void
}

/**
 * Edits of several settings. Changes by other users appear in fields that were not edited. All values must be valid;
 * with `onlyChanged`, only the edited ones.
 */
export function useConfiguration(
  entries: readonly ConfigurationEntry[],
  names: readonly ConfigurationName[],
  { onlyChanged = false, updated }: { onlyChanged?: boolean; updated: () => void },
): ConfigurationSection {
  const [edits, edit] = useState<Partial<Values>>({})
  const [rejected, setRejected] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  // Values that were saved after `read` was fetched. They are shown until the settings are fetched again.
  const [updates, setUpdates] = useState<{ read: readonly ConfigurationEntry[]; written: ConfigurationEntry[] }>()
  const saved = valuesOf(updates?.read === entries ? [...entries, ...updates.written] : entries)
  const values = { ...saved, ...edits }
  const changes = changesOf(saved, edits, names)
  const isChecked = (name: ConfigurationName) => !onlyChanged || changes.some((change) => change.name === name)
  const problem = (name: ConfigurationName) => rejected[name] ?? (isChecked(name) ? problemOf(name, values) : undefined)

  const update = async () => {
    setBusy(true)
    try {
      const written = await call(configurations.update, { body: changes })
      const before = updates?.read === entries ? updates.written : []
      setUpdates({ read: entries, written: [...before, ...written] })
      updated()
      edit({})
      toast({ kind: 'success', message: 'The configurations were updated.' }, 8_000)
    } catch (error) {
      setRejected(rejections(error))
    } finally {
      setBusy(false)
    }
  }
  const discard = () => {
    edit({})
    setRejected({})
  }
  return {
    field: (name) => ({
      value: values[name],
      // Untouched fields show no validation errors.
      problem: name in edits ? problem(name) : rejected[name],
      busy,
      set: (value) => {
        edit((edits) => ({ ...edits, [name]: value }))
        setRejected(({ [name]: _, ...others }) => others)
      },
    }),
    hasChanges: changes.length > 0,
    problem: names.map(problem).find((found) => found !== undefined),
    busy,
    update: () => void update(),
    discard,
  }
}

/** Server errors by setting; shows a toast for errors without one. */
function rejections(error: unknown): Record<string, string> {
  const subErrors = error instanceof CallError ? error.subErrors : []
  if (subErrors.length === 0) {
    const title = error instanceof CallError ? (error.title ?? error.message) : String(error)
    toastFailure(`Unable to update the configurations: ${title}`)
  }
  return fieldErrors(subErrors)
}

/** Values by setting; hashed ones are empty. */
export type Values = Record<ConfigurationName, string>

const valuesOf = (entries: readonly ConfigurationEntry[]): Values =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value ?? ''])) as Values

/** Edits that differ from the saved values. */
export const changesOf = (saved: Values, edits: Partial<Values>, names: readonly ConfigurationName[]) =>
  names.flatMap((name) => {
    const value = edits[name]
    return value === undefined || value === saved[name] ? [] : [{ name, value }]
  })

/** Validation error of a value. The other values are needed for cross-field rules. */
export function problemOf(name: ConfigurationName, values: Values): string | undefined {
  const value = values[name]
  const mustSignIn = values['spring.mail.properties.mail.smtp.auth'] === 'true'
  if (name === 'spring.mail.username' && mustSignIn && value.trim() === '') return "Username can't be empty"
  const read = configurationKeys[name].check.safeParse(value)
  return read.success ? undefined : read.error.issues[0]?.message
}
