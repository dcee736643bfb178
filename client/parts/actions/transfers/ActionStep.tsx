import { IconArrowsRight, IconCopy } from '@tabler/icons-react'
import { ListFailure } from '#client/parts/actions/wizard/ListFailure.tsx'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { ChoiceCard } from '#client/ui/form/ChoiceCard.tsx'

export type TransferAction = 'COPY' | 'MOVE'

export const actionLabels: Record<TransferAction, string> = { COPY: 'Copy', MOVE: 'Move' }

const choices = [
  { action: 'COPY', icon: IconCopy, description: 'Copies the files and keeps them on their storage' },
  { action: 'MOVE', icon: IconArrowsRight, description: 'Copies the files, then deletes them from their storage' },
] as const

type ActionStepProps = {
  storages: Loadable<ItemRule>
  value: TransferAction | undefined
  onSelect: (action: TransferAction) => void
}

/** Selects whether files are copied or moved. */
export function ActionStep({ storages, value, onSelect }: ActionStepProps) {
  const focused = value ?? 'COPY'
  return (
    <>
      <ListFailure {...storages} />
      <div className="stack gap-8">
        {choices.map(({ action, icon, description }) => (
          <ChoiceCard
            key={action}
            icon={icon}
            title={actionLabels[action]}
            description={description}
            isFirst={action === focused}
            isSelected={action === value}
            onSelect={() => onSelect(action)}
          />
        ))}
      </div>
    </>
  )
}
