import { builtInAgent } from '#events/agents.ts'
import type { SizeBasis } from '#events/sources/sizeBasis.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { storagePriceOf } from '../price-books/noCosts.ts'
import { PriceBookPicker } from '../price-books/PriceBookPicker.tsx'
import { AgentSelect } from './AgentSelect.tsx'
import { CredentialsSelect } from './CredentialsSelect.tsx'
import { PathRules } from './file-storages/PathRules.tsx'
import { SizeBasisInput } from './SizeBasisInput.tsx'
import type { optionsOf } from './useAgents.ts'

/** Fields of every source that an agent scans. Ids are text, and '' if nothing is selected. */
export type SourceFields = { agent: string; credentials: string; priceBook: string }

type SourceRow = { serverId: number; storagePrice: { id: number } | null }

/** Fields of an existing source; its credentials differ by kind. */
export const sourceOf = ({ serverId, storagePrice }: SourceRow, credentials: { id: number }): SourceFields => ({
  agent: String(serverId),
  credentials: String(credentials.id),
  priceBook: String(storagePrice?.id ?? ''),
})

/** Properties of the draft of a source. Without an agent, it has the built-in one. */
export const sourceDraft = ({ agent, priceBook }: SourceFields) => ({
  serverId: agent === '' ? builtInAgent : Number(agent),
  storagePrice: storagePriceOf(priceBook),
})

/** Inputs of the draft's properties, and their labels. */
export const sourceInputFor = { serverId: 'agent', storagePrice: 'priceBook' } as const
export const sourceLabels = { serverId: 'Agent', 'storagePrice.id': 'Price Book' }

/** Fields of a new source. */
export const newSource: SourceFields = { agent: String(builtInAgent), credentials: '', priceBook: '' }

/** Errors of empty selections, whose ids the schema of a draft doesn't check. */
export const selectionErrors = ({ agent, credentials }: SourceFields) => ({
  agent: agent === '' && "Agent can't be empty",
  credentials: credentials === '' && "Credentials can't be empty",
})

/** Selects the agent. */
export const agentInput = {
  name: 'agent',
  label: 'Agent',
  kind: 'own',
  Input: ({ onChange, description: _, ...props }: InputProps<string>) => (
    <AgentSelect {...props} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  ),
} as const

/** Selects the price book. */
export const priceBookInput = {
  name: 'priceBook',
  label: 'Price Book',
  kind: 'own',
  Input: PriceBookPicker,
} as const

/** Selects the sizes that costs count. */
export const sizeBasisInput = {
  name: 'sizeBasis',
  label: 'Size Basis',
  kind: 'own',
  Input: ({ value, onChange, disabled }: InputProps<SizeBasis>) => (
    <SizeBasisInput value={value} onChange={onChange} disabled={disabled} />
  ),
} as const

type KnownCredentials = Pick<Loadable<Parameters<typeof optionsOf>[0]>, 'data'>

/** Selects credentials, which users add in their own table. */
export const credentialsInput = (useKnown: () => KnownCredentials) =>
  ({
    name: 'credentials',
    label: 'Credentials',
    kind: 'own',
    Input: function CredentialsInput({ onChange, description: _, ...props }: InputProps<string>) {
      const { data: known } = useKnown()
      return (
        <CredentialsSelect
          known={known}
          none={known?.elements.length === 0 ? 'There are no credentials yet' : 'Choose credentials'}
          onNew={undefined}
          {...props}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    },
  }) as const

/** Paths that scans leave out. `storageOf` returns the storage whose snapshot shows the effect of a rule. */
export const ignoredInput = <T,>(storageOf: (row: T) => number) =>
  ({
    name: 'ignored',
    label: 'Ignored Paths',
    kind: 'own',
    propsOf: (edited: T | 'new') => ({ volumeId: edited === 'new' ? undefined : storageOf(edited) }),
    Input: ({ value, onChange, error, volumeId }: InputProps<string[]> & { volumeId?: number }) => (
      <PathRules kind="ignored" volumeId={volumeId} rules={value} onChange={onChange} error={error} />
    ),
  }) as const
