import { NativeSelect } from '@mantine/core'
import { builtInAgent } from '#events/agents.ts'
import type { SizeBasis } from '#events/contract/sizeBasis.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { storagePriceOf } from '../price-books/noCosts.ts'
import { PriceBookPicker } from '../price-books/PriceBookPicker.tsx'
import { CredentialsSelect, type CredentialsSelectProps, type KnownCredentials } from './CredentialsSelect.tsx'
import type { RuleKind } from './file-storages/useRulePreview.ts'
import { PathRules } from './file-storages/PathRules.tsx'
import { optionsOf, useAgents } from './useAgents.ts'

/** Error of an empty selection, whose id the schema of a draft doesn't check. */
export const selected = (label: string) => (value: string) => value === '' && `${label} can't be empty`

function AgentSelect({ onChange, ...select }: InputProps<string>) {
  const { data } = useAgents()
  return (
    <NativeSelect data={optionsOf(data)} {...select} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  )
}

/** Selects the agent that scans a source. */
export const agentSelect = {
  label: 'Agent',
  kind: 'own',
  Input: AgentSelect,
  initial: String(builtInAgent),
  check: selected('Agent'),
} as const

/** The agent of a source. Without one, the built-in agent scans it. */
export const agentField = {
  ...agentSelect,
  to: 'serverId',
  read: ({ serverId }: { serverId: number }) => String(serverId),
  write: (agent: string) => (agent === '' ? builtInAgent : Number(agent)),
} as const

/** The price book of a source. */
export const priceBookField = {
  label: 'Price Book',
  kind: 'own',
  Input: PriceBookPicker,
  initial: '' as string,
  to: 'storagePrice',
  read: ({ storagePrice }: { storagePrice: { id: number } | null }) => String(storagePrice?.id ?? ''),
  write: storagePriceOf,
} as const

/** The sizes that costs count. */
export const sizeBasisField = {
  label: 'Size Basis',
  description: 'Sizes that costs and projects count. A file with several hard links counts once.',
  kind: 'radio',
  options: [
    {
      value: 'onDisk',
      label: 'On disk',
      description: 'The space that files take on their disk, as du shows it. Holes and compressed parts cost nothing.',
    },
    {
      value: 'apparent',
      label: 'Apparent size',
      description:
        'The bytes of their content, as du --apparent-size shows them. For storages whose prices are by content.',
    },
  ],
  initial: 'onDisk' as SizeBasis,
} as const

/** Selects credentials, which users add in their own table or in a step of the wizard. */
export const credentialsField = (useKnown: () => { data?: KnownCredentials | undefined }, none?: string) =>
  ({
    label: 'Credentials',
    kind: 'own',
    Input: function CredentialsInput(props: Omit<CredentialsSelectProps, 'known' | 'none'>) {
      const { data } = useKnown()
      return <CredentialsSelect known={data} none={none} {...props} />
    },
    initial: '' as string,
  }) as const

const rulesLabels = {
  ignored: { label: 'Ignored Paths', errorLabel: 'Volume ignore rules' },
  foldersOnly: { label: 'Index Folder Only Paths', errorLabel: 'Volume index folder only paths' },
}

/** Paths with a special treatment in scans. `storageOf` returns the storage whose snapshot shows the effect of a rule. */
export const rulesField = <T,>(kind: RuleKind, storageOf: (row: T) => number) =>
  ({
    ...rulesLabels[kind],
    kind: 'own',
    Input: PathRules,
    propsOf: (edited: T | 'new') => ({ kind, volumeId: edited === 'new' ? undefined : storageOf(edited) }),
    initial: [] as string[],
    write: (paths: string[]) => paths.map((path) => ({ path })),
  }) as const

/** Paths of stored rules. */
export const pathsOf = (rules: readonly { path: string }[]): string[] => rules.map(({ path }) => path)
