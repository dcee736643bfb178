import { useState } from 'react'
import { type ConfigurationEntry, type ConfigurationName, configurations } from '#events/configurations.ts'
import { CallError, call } from '../../app/call.ts'
import { fieldErrors } from '../../app/form.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { type Values, changesOf, problemOf, valuesOf } from './configurationEdits.ts'

/** One field of the configuration: what it shows, what is wrong with it, and how it is edited. */
export type ConfigurationField = {
  value: string
  problem: string | undefined
  busy: boolean
  set: (value: string) => void
}

export type ConfigurationSection = {
  field: (name: ConfigurationName) => ConfigurationField
  hasChanges: boolean
  /** The first thing that is wrong; nothing when all may be saved. */
  problem: string | undefined
  busy: boolean
  update: () => void
  discard: () => void
}

/**
 * Edits of some names of the configuration. What others change meanwhile shows at once where nothing was edited. Every
 * name must be valid, or, with `onlyChanged`, those that are about to change.
 */
export function useConfiguration(
  entries: readonly ConfigurationEntry[],
  names: readonly ConfigurationName[],
  { onlyChanged = false, updated }: { onlyChanged?: boolean; updated: () => void },
): ConfigurationSection {
  const [edits, edit] = useState<Partial<Values>>({})
  const [refused, refuse] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const kept = valuesOf(entries)
  const values = { ...kept, ...edits }
  const changes = changesOf(kept, edits, names)
  const isChecked = (name: ConfigurationName) => !onlyChanged || changes.some((change) => change.name === name)
  const problem = (name: ConfigurationName) => refused[name] ?? (isChecked(name) ? problemOf(name, values) : undefined)

  const update = async () => {
    setBusy(true)
    try {
      await call(configurations.update, { body: changes })
      updated()
      edit({})
      toast({ kind: 'success', message: 'The configurations were updated.' }, 8_000)
    } catch (error) {
      refuse(refusals(error))
    } finally {
      setBusy(false)
    }
  }
  const discard = () => {
    edit({})
    refuse({})
  }
  return {
    field: (name) => ({
      value: values[name],
      // What nobody has touched is not reproached.
      problem: name in edits ? problem(name) : refused[name],
      busy,
      set: (value) => {
        edit((edits) => ({ ...edits, [name]: value }))
        refuse(({ [name]: _, ...others }) => others)
      },
    }),
    hasChanges: changes.length > 0,
    problem: names.map(problem).find((found) => found !== undefined),
    busy,
    update: () => void update(),
    discard,
  }
}

/** What the server refused, by name; what it says of no name is told in a toast. */
function refusals(error: unknown): Record<string, string> {
  const subErrors = error instanceof CallError ? error.subErrors : []
  if (subErrors.length === 0) {
    const title = error instanceof CallError ? (error.title ?? error.message) : String(error)
    toastFailure(`Unable to update the configurations: ${title}`)
  }
  return fieldErrors(subErrors)
}
