import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { percentText } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { visible } from '#client/ui/text/visible.ts'
import type { MapNode } from '#client/parts/map/mapTree.ts'
import {
  ageFacts,
  changeOf,
  dominantText,
  nameOf,
  shareOf,
  dominantLabels,
  type DominantValues,
} from '#client/parts/map/mapWords.ts'
import type { HoveredNode } from './useMapInteraction.ts'
import classes from '#client/parts/map/Map.module.css'

type HoverCardProps = HoveredNode & {
  root: MapNode
  dominants: DominantValues | undefined
  room: { width: number; height: number }
}

/** Details of the hovered node. Screen readers get the same text for the focused node. */
export function HoverCard({ node, x, y, root, dominants, room }: HoverCardProps) {
  const { base } = useSnapshot(sizeSetting)
  const { entry, kind, path, size } = node
  const change = changeOf(node, base)
  const part = dominantText(node, dominants, base)
  const facts = [
    ['Size', <Size key="size" bytes={size} />],
    ['Share', percentText(shareOf(node, root))],
    ...(dominants && part ? [[dominantLabels[dominants.by], part]] : []),
    ...ageFacts(node, dominants, base),
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
          <div className="flex between gap-24" key={term as string}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
