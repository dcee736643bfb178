import { Rect, Svg, Text, View } from '@react-pdf/renderer'
import { type ChartPart, shareOf } from '#client/ui/charts/chartPart.ts'
import { ringWidth } from './PdfDonut.tsx'
import { cardWidth, cellWidth, ink, paper, shortened, written } from './paper.ts'

type PdfPartsProps = {
  parts: readonly ChartPart[]
  columns: readonly string[]
  /** Mark between a name and its numbers. */
  mark: 'dot' | 'bar' | 'none'
}

const [dotSize, barLength, gap] = [6, 170, 6]

/** Points of a mark and its gap, and of the ring chart next to a table with dots. */
const markWidths = { dot: ringWidth + dotSize + gap, bar: barLength + gap, none: 0 }

/** The numbers of a chart as a table. With bars it replaces the chart. */
export function PdfParts({ parts, columns, mark }: PdfPartsProps) {
  const [name = '', ...others] = columns
  const labelWidth = cardWidth - markWidths[mark] - others.length * cellWidth
  return (
    <View style={mark === 'dot' ? { flexGrow: 1, flexBasis: 0 } : {}}>
      <View style={{ ...paper.row, ...paper.quiet, fontSize: 8 }}>
        <Text style={paper.label}>{written(name)}</Text>
        {others.map((column) => (
          <Text key={column} style={paper.cell}>
            {column}
          </Text>
        ))}
      </View>
      {parts.map((part) => (
        <View key={part.key} style={{ ...paper.row, borderTop: `0.5pt solid ${ink('border')}`, fontSize: 8 }}>
          {mark === 'dot' && <Bar share={1} length={dotSize} part={part} />}
          <Text style={paper.label}>{shortened(part.label, labelWidth)}</Text>
          {mark === 'bar' && <Bar share={shareOf(part, parts)} length={barLength} part={part} />}
          {part.cells.map((cell, place) => (
            <Text key={columns[place + 1]} style={paper.cell}>
              {written(cell)}
            </Text>
          ))}
        </View>
      ))}
    </View>
  )
}

function Bar({ share, length, part }: { share: number; length: number; part: ChartPart }) {
  return (
    <Svg width={length} height={6} viewBox={`0 0 ${length} 6`} style={{ marginRight: gap }}>
      <Rect x={0} y={0} width={Math.max(part.value > 0 ? 0.5 : 0, share * length)} height={6} fill={ink(part.role)} />
    </Svg>
  )
}
