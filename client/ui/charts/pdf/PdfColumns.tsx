import { G, Line, Rect, Svg } from '@react-pdf/renderer'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { roundTicks } from '#client/ui/charts/ticks.ts'
import { cardWidth as width, ink } from './paper.ts'
import { PdfWords } from './PdfWords.tsx'

type PdfColumnsProps = { parts: readonly ChartPart[]; base: number; tickText: (value: number) => string }

const plot = { left: 52, top: 8, width: width - 56, height: 104 }

/** Column chart. */
export function PdfColumns({ parts, base, tickText }: PdfColumnsProps) {
  const ticks = roundTicks(Math.max(0, ...parts.map(({ value }) => value)), base)
  const max = ticks.at(-1) || 1
  const heightOf = (value: number) => (value / max) * plot.height
  const room = plot.width / Math.max(1, parts.length)
  const bottom = plot.top + plot.height
  return (
    <Svg width={width} height={136} viewBox={`0 0 ${width} 136`}>
      {ticks.map((tick) => (
        <G key={tick}>
          <Line
            x1={plot.left}
            x2={plot.left + plot.width}
            y1={bottom - heightOf(tick)}
            y2={bottom - heightOf(tick)}
            stroke={ink('border')}
            strokeWidth={0.5}
          />
          <PdfWords x={plot.left - 6} y={bottom - heightOf(tick) + 3} anchor="end" text={tickText(tick)} />
        </G>
      ))}
      {parts.map(({ key, label, short, value, role }, place) => {
        const height = value > 0 ? Math.max(1, heightOf(value)) : 0
        const x = plot.left + room * place
        return (
          <G key={key}>
            <Rect x={x + room * 0.18} y={bottom - height} width={room * 0.64} height={height} fill={ink(role)} />
            <PdfWords
              x={x + room / 2}
              y={bottom + 12}
              anchor="middle"
              text={short ?? label}
              size={parts.length > 14 ? 6.5 : 7.5}
            />
          </G>
        )
      })}
    </Svg>
  )
}
