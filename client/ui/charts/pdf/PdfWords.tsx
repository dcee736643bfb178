import { Text } from '@react-pdf/renderer'
import { type ReactNode, use } from 'react'
import type { Role } from '#client/ui/theme/roles.ts'
import { FontFamily } from './paperFonts.ts'
import { ink, written } from './paper.ts'

type PdfWordsProps = {
  x: number
  y: number
  text: string
  anchor?: 'start' | 'middle' | 'end'
  color?: Role
  size?: number
  bold?: boolean
}

/** Text of a chart. Drawings don't inherit the fonts of their page. */
export function PdfWords({
  x,
  y,
  text,
  anchor = 'start',
  color = 'text-2',
  size = 7.5,
  bold = false,
}: PdfWordsProps): ReactNode {
  const style = { fontFamily: use(FontFamily), fontSize: size, fontWeight: bold ? 700 : 400 } as const
  return (
    <Text x={x} y={y} textAnchor={anchor} fill={ink(color)} style={style}>
      {written(text)}
    </Text>
  )
}
