import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type SourceKind, sourceKinds } from '#events/sources/kinds.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { sourceScreens } from './sourceScreens.ts'
import classes from './Sources.module.css'

/** The kinds that can be set up, each as a card. */
const cards = sourceKinds.flatMap((kind) => {
  const card = sourceScreens[kind]?.card
  return card ? [{ kind, ...card }] : []
})

/** Asks which kind of source is added. */
export function AddSource({ onSelect }: { onSelect: (kind: SourceKind) => void }) {
  const [isAsking, ask] = useState(false)
  const select = (kind: SourceKind) => {
    ask(false)
    onSelect(kind)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => ask(true)}>
        Add a new storage type
      </Button>
      <Dialog opened={isAsking} onClose={() => ask(false)} title="Select a Storage Type">
        <div className={classes.kinds}>
          {cards.map(({ kind, icon: Sign, title, description }, place) => (
            <button
              key={kind}
              type="button"
              className={classes.kind}
              {...(place === 0 && { 'data-autofocus': true })}
              onClick={() => select(kind)}
            >
              <Sign size={24} stroke={1.5} aria-hidden />
              <span>
                <b>{title}</b>
                <span className={classes.what}>{description}</span>
              </span>
            </button>
          ))}
        </div>
      </Dialog>
    </>
  )
}
