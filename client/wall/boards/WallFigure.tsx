import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Icon } from '@tabler/icons-react'
import { compactCount } from '#client/ui/text/count.ts'
import { sizeText } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './Boards.module.css'

export type WallTone = 'ok' | 'good' | 'warn' | 'critical' | 'quiet'

type WallFigureProps = { label: string; value: string; unit?: string; tone?: WallTone; note?: ReactNode }

/** A number that can be read across the room. */
export function WallFigure({ label, value, unit, tone, note }: WallFigureProps) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-tone={tone}>
        {value}
        {unit && <span className={classes.unit}> {unit}</span>}
      </dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}

/** Formats sizes with this browser's units. */
export function useSizeText() {
  const { base } = useSnapshot(sizeSetting)
  return (bytes: number) => sizeText(bytes, base)
}

export function CountFigure({ of, ...figure }: Omit<WallFigureProps, 'value' | 'unit'> & { of: number | undefined }) {
  return <WallFigure {...figure} {...(of === undefined ? { value: '-' } : compactCount(of))} />
}

export function SizeFigure({ of, ...figure }: Omit<WallFigureProps, 'value' | 'unit'> & { of: number | undefined }) {
  const text = useSizeText()
  return <WallFigure {...figure} {...(of === undefined ? { value: '-' } : text(of))} />
}

/** A state with icon and color. */
export function WallState({ icon: Sign, tone, children }: { icon: Icon; tone: WallTone; children: string }) {
  return (
    <span className={classes.state} data-tone={tone} data-state>
      <Sign className={classes.sign} stroke={1.75} aria-hidden />
      {children}
    </span>
  )
}
