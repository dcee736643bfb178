import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lockedMessages } from '#events/contract/needs.ts'
import { everySource, type SourceKind, sourceKinds } from '#events/sources/kinds.ts'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { ChoiceCard } from '#client/ui/form/ChoiceCard.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { sourceScreens } from './sourceScreens.ts'

/** The kinds that can be set up, each as a card. */
const cards = sourceKinds.flatMap((kind) => {
  const card = sourceScreens[kind]?.card
  return card ? [{ kind, ...card }] : []
})

/** Shows a card for each kind of source to add. */
export function AddSource({ onSelect }: { onSelect: (kind: SourceKind) => void }) {
  const [asking, ask] = useOpenedForm('storage')
  const select = (kind: SourceKind) => {
    ask(undefined)
    onSelect(kind)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => ask('new')}>
        Add a new storage type
      </Button>
      <Dialog opened={asking !== undefined} onClose={() => ask(undefined)} title="Select a Storage Type">
        <div className="stack gap-8">
          {cards.map((card, place) => (
            <KindCard key={card.kind} {...card} isFirst={place === 0} onSelect={() => select(card.kind)} />
          ))}
        </div>
      </Dialog>
    </>
  )
}

type KindCardProps = (typeof cards)[number] & { isFirst: boolean; onSelect: () => void }

/** Card of one kind. It can't be selected without the bundle it needs. */
function KindCard({ kind, icon, title, description, isFirst, onSelect }: KindCardProps) {
  const isLicensed = useLicence()
  const source = everySource.find((source) => source.kind === kind)
  const isLocked = !isLicensed(source?.bundle)
  return (
    <ChoiceCard
      icon={icon}
      title={title}
      description={isLocked && source?.bundle ? lockedMessages[source.bundle] : description}
      isFirst={isFirst}
      disabled={isLocked}
      onSelect={onSelect}
    />
  )
}
