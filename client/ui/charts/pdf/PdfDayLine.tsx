import { G, Line, Polyline, Rect, Svg } from '@react-pdf/renderer'
import { dayLineTicks, dayTicks, dayTickText, labelledPoints, placeOf } from '#client/ui/charts/dayAxis.ts'
import type { DayLineProps } from '#client/ui/charts/dayLineProps.ts'
import { cardWidth as width, ink } from './paper.ts'
import { PdfWords } from './PdfWords.tsx'

const plot = { left: 52, top: 8, width: width - 72, height: 124 }
/** Horizontal space of a label, in points. */
const room = 40
const bottom = plot.top + plot.height

/** Line chart by day, with its limit. */
export function PdfDayLine({ parts, from, to, base, tickText, limit }: Omit<DayLineProps, 'label' | 'onPick'>) {
  const ticks = dayLineTicks({ parts, limit, base })
  const [low, top] = [ticks[0] ?? 0, ticks.at(-1) || 1]
  const length = placeOf(to) - placeOf(from)
  const yOf = (value: number) => bottom - ((value - low) / (top - low)) * plot.height
  const xOf = (place: number) => plot.left + (length === 0 ? 0.5 : (place - placeOf(from)) / length) * plot.width
  const points = parts.map(({ key, value }) => [xOf(placeOf(key)), yOf(value)] as const)
  const labelled = labelledPoints(
    points.map(([x]) => x),
    room,
  )
  return (
    <Svg width={width} height={156} viewBox={`0 0 ${width} 156`}>
      {ticks.map((tick) => (
        <G key={tick}>
          <Rule y={yOf(tick)} />
          <PdfWords x={plot.left - 6} y={yOf(tick) + 3} anchor="end" text={tickText(tick)} />
        </G>
      ))}
      {dayTicks(from, to).map((place) => (
        <PdfWords key={place} x={xOf(place)} y={bottom + 12} anchor="middle" text={dayTickText(place, { from, to })} />
      ))}
      {limit && <LimitMarks limit={limit} y={yOf(limit.value)} />}
      <Polyline points={points.map((point) => point.join(',')).join(' ')} stroke={ink('usage-ok')} strokeWidth={1.2} />
      {points.map(([x, y], place) => (
        <G key={parts[place]?.key}>
          <Rect x={x - 1.2} y={y - 1.2} width={2.4} height={2.4} fill={ink('usage-ok')} />
          {labelled.has(place) && <PdfWords x={x} y={y - 4} anchor="middle" text={parts[place]?.text ?? ''} />}
        </G>
      ))}
    </Svg>
  )
}

function Rule({ y }: { y: number }) {
  return <Line x1={plot.left} x2={plot.left + plot.width} y1={y} y2={y} stroke={ink('border')} strokeWidth={0.5} />
}

function LimitMarks({ limit, y }: { limit: NonNullable<DayLineProps['limit']>; y: number }) {
  const { left, width, top } = plot
  const red = ink('usage-critical')
  return (
    <G>
      {limit.box !== undefined && (
        <Rect x={left} y={top} width={width} height={Math.max(0, y - top)} fill={red} fillOpacity={0.12} />
      )}
      {limit.line !== undefined && <Line x1={left} x2={left + width} y1={y} y2={y} stroke={red} strokeWidth={0.8} />}
      <PdfWords
        x={left + 4}
        y={top + 8}
        color="usage-critical"
        text={[limit.box, limit.line].filter((text) => text !== undefined).join(' · ')}
      />
    </G>
  )
}
