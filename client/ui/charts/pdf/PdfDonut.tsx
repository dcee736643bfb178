import { G, Path, Svg } from '@react-pdf/renderer'
import { arcPath } from '#client/ui/charts/arcs.ts'
import { type ChartPart, minLabeledShare, shareOf, shareText, sumOf } from '#client/ui/charts/chartPart.ts'
import { ink } from './paper.ts'
import { PdfWords } from './PdfWords.tsx'

const [outer, inner] = [62, 38]

/** Points of the chart with its labels. */
export const ringWidth = 210

/** Ring chart. */
export function PdfDonut({ parts, total }: { parts: readonly ChartPart[]; total: string }) {
  const shown = parts.filter(({ value }) => value > 0)
  const slices = shown.map((part, place) => {
    const begin = sumOf(shown.slice(0, place)) / sumOf(shown)
    const share = shareOf(part, shown)
    return { part, begin, share, end: begin + share }
  })
  return (
    <Svg width={ringWidth} height={176} viewBox="-105 -88 210 176">
      <G>
        {slices.map(({ part, begin, end }) => (
          <Path
            key={part.key}
            d={arcPath(begin, end, outer, inner)}
            fill={ink(part.role)}
            stroke={ink('surface')}
            strokeWidth={slices.length > 1 ? 1.5 : 0}
          />
        ))}
        {slices
          .filter(({ share }) => share >= minLabeledShare)
          .map(({ part, begin, share }) => (
            <Label key={part.key} at={begin + share / 2} text={shareText(part, parts)} />
          ))}
        <PdfWords x={0} y={4} anchor="middle" color="text" size={11} bold text={total} />
      </G>
    </Svg>
  )
}

function Label({ at, text }: { at: number; text: string }) {
  const x = Math.sin(2 * Math.PI * at) * (outer + 8)
  const y = -Math.cos(2 * Math.PI * at) * (outer + 10) + 3
  return <PdfWords x={x} y={y} anchor={Math.abs(x) < 12 ? 'middle' : x > 0 ? 'start' : 'end'} size={8} text={text} />
}
