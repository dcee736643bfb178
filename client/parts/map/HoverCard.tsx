import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import { Size } from '../../ui/Size.tsx'
import { sizeSetting } from '../../ui/sizeBase.state.ts'
import { percentText } from '../../ui/text/count.ts'
import { dayText } from '../../ui/text/moment.ts'
import { visible } from '../entry-text/EntryName.tsx'
import type { MapNode } from './mapTree.ts'
import { changeOf, mostlyOf, nameOf, shareOf } from './mapWords.ts'
import { largestWords, type Mostly } from './mostly.ts'
import type { Hovered } from './usePointer.ts'
import classes from './Map.module.css'

type HoverCardProps = Hovered & { root: MapNode; mostly: Mostly | undefined; room: { width: number; height: number } }

/** What lies under the pointer; the keyboard hears the same. */
export function HoverCard({ node, x, y, root, mostly, room }: HoverCardProps) {
  const { base } = useSnapshot(sizeSetting)
  const { entry, kind, path, size } = node
  const change = changeOf(node, base)
  const part = mostlyOf(node, mostly, base)
  const facts = [
    ['Size', <Size key="size" bytes={size} />],
    ['Share', percentText(shareOf(node, root))],
    ...(mostly && part ? [[largestWords[mostly.by], part]] : []),
    ...(entry?.lastAccess ? [['Last access', dayText(entry.lastAccess)]] : []),
    ...(entry?.owner ? [['Owner', entry.owner]] : []),
    ...(change ? [['Change', change]] : []),
  ] as const
  return (
    <div
      className={classes.hover}
      data-left={x > room.width / 2}
      data-above={y > room.height / 2}
      style={{ '--x': `${x}px`, '--y': `${y}px` } as CSSProperties}
      aria-hidden
    >
      <p className={classes.hoverPath}>{visible(path)}</p>
      {kind === 'smaller' && <p>{nameOf(node)}</p>}
      <dl className={classes.facts}>
        {facts.map(([term, value]) => (
          <div key={term as string}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
