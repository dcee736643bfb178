import { Checkbox, NativeSelect } from '@mantine/core'
import { rightsOf } from '#events/actions/actions.ts'
import { connectedSystems } from '#events/actions/calls.ts'
import { type PolicyActionKind, policyActionKinds, policyActionLabels } from '#events/policies/policies.ts'
import { useRemote } from '#client/app/remote.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'

/** Effect of each choice, in a sentence. */
const descriptions: Record<PolicyActionKind, string> = {
  nothing: 'Each run lists the files and counts them. Nothing happens to them.',
  tag: 'Adds a tag to the files, which searches and reports can use.',
  ask: 'Sends each owner an email with a page of their files, where they keep or release each.',
  quarantine:
    'Moves the files to a hidden folder of their storage. Put them back at any time. Only on storages that allow it.',
  archive: 'Archives the files with a plan of Archiware P5.',
  transfer: 'Copies or moves the files to another storage.',
  store: 'Stores the files on tape.',
  upload: 'Uploads the files as assets.',
}

const bundleOf = (kind: PolicyActionKind) =>
  kind === 'archive' || kind === 'transfer' || kind === 'store' || kind === 'upload' ? rightsOf(kind).bundle : undefined

/** Choice of the action. Those of systems that are not connected are left out, unless one is chosen already. */
export function ThenInput({ value, onChange, label, disabled, error }: InputProps<PolicyActionKind>) {
  const { data: connected = [] } = useRemote(connectedSystems, {}, 'sources', 'storNextMappings', 'configurations')
  const offered = policyActionKinds.filter((kind) => {
    const bundle = bundleOf(kind)
    return kind === value || bundle === undefined || connected.includes(bundle)
  })
  return (
    <NativeSelect
      label={label}
      description={descriptions[value]}
      data={offered.map((kind) => ({ value: kind, label: policyActionLabels[kind] }))}
      value={value}
      disabled={disabled}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value as PolicyActionKind)}
    />
  )
}

/** Days of the week from Monday, with their numbers. */
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label, at) => ({ label, day: (at + 1) % 7 }))

/** Days on which a policy does nothing at some hours. */
export const QuietDays = ({ value, onChange, label, disabled, error }: InputProps<readonly number[]>) => (
  <Checkbox.Group
    label={label}
    description="On these days, in the server's time zone, the policy does nothing at the hours below."
    value={value.map(String)}
    onChange={(days) => onChange(days.map(Number))}
    error={error}
  >
    <div className="row wrap gap-8-16 top-8">
      {weekdays.map((one) => (
        <Checkbox key={one.day} value={String(one.day)} label={one.label} disabled={disabled} />
      ))}
    </div>
  </Checkbox.Group>
)
