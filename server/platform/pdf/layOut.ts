import { counted } from '#events/contract/counted.ts'
import { Document, type DocumentProps, Page, StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as element, type ReactElement } from 'react'
import type { Weight } from '#events/pdf-fonts/face.ts'
import { withoutIsolates } from '#events/pdf-fonts/spelling.ts'
import { fonts } from './fonts.ts'
import { maxRows, type PdfBars, type PdfDocument, type PdfPart, type PdfTable } from './document.ts'

/** Points: A4 is 595 wide, 515 between the margins. */
const paperWidth = 515
const fontSize = 9
const cellPadding = 4
/** Of the text at the foot of a page, next to the number of the page. */
const [footSize, footWidth] = [8, 430]
const ink = { text: '#1d2433', quiet: '#5b6474', rule: '#d9dde5', bar: '#2f6fdd' }

const styles = StyleSheet.create({
  page: { padding: 40, paddingBottom: 60, fontSize, color: ink.text },
  title: { fontWeight: 700, fontSize: 18, marginBottom: 6 },
  line: { color: ink.quiet, marginBottom: 2 },
  part: { marginTop: 16 },
  partTitle: { fontWeight: 700, fontSize: 11, marginBottom: 6 },
  row: { flexDirection: 'row', borderBottom: `0.5pt solid ${ink.rule}`, paddingVertical: 3 },
  bold: { fontWeight: 700 },
  quiet: { color: ink.quiet, paddingVertical: 4 },
  foot: {
    position: 'absolute',
    left: 40,
    right: 40,
    bottom: 24,
    flexDirection: 'row',
    justifyContent: 'space-between',
    paddingTop: 6,
    borderTop: `0.5pt solid ${ink.rule}`,
    color: ink.quiet,
    fontSize: footSize,
  },
})

/** The document as elements of the library, in fonts that are loaded. */
export const layOut = ({ title, lines, parts, foot }: PdfDocument, fontFamily: string): ReactElement<DocumentProps> =>
  element(
    Document,
    { title: withoutIsolates(title) },
    element(
      Page,
      { size: 'A4', style: [styles.page, { fontFamily }] },
      element(Text, { style: styles.title }, broken(title, paperWidth, 18, 700)),
      ...lines.map((line) => element(Text, { style: styles.line }, broken(fonts.written(line), paperWidth))),
      ...parts.map(partOf),
      element(
        View,
        { style: styles.foot, fixed: true },
        element(Text, {}, fonts.shortened(foot, footWidth / footSize)),
        element(Text, { render: ({ pageNumber, totalPages }) => `Page ${pageNumber} of ${totalPages}` }),
      ),
    ),
  )

const partOf = (part: PdfPart): ReactElement =>
  element(
    View,
    { style: styles.part },
    // A title never stays alone at the end of a page.
    part.title !== undefined &&
      element(Text, { style: styles.partTitle, minPresenceAhead: 60 }, broken(part.title, paperWidth, 11, 700)),
    ...(part.kind === 'table' ? tableOf(part) : barsOf(part)),
  )

function tableOf({ columns, rows, sum, empty }: PdfTable): ReactElement[] {
  const all = columns.reduce((sum, { width }) => sum + width, 0)
  const rowOf = (cells: readonly string[], props: { bold?: true; fixed?: true } = {}) =>
    element(
      View,
      { style: [styles.row, props.bold ? styles.bold : {}], wrap: false, fixed: props.fixed === true },
      ...columns.map(({ width, align }, i) => {
        const points = (width / all) * paperWidth
        const padding = align === 'right' ? { paddingLeft: cellPadding } : { paddingRight: cellPadding }
        const cell = cells[i] ?? ''
        // Amounts stay from left to right, also with a currency symbol of another script.
        const text = align === 'right' ? fonts.written(cell) : cell
        const fitting = broken(text, points - cellPadding, fontSize, props.bold ? 700 : 400)
        return element(Text, { style: { width: points, ...(align && { textAlign: align }), ...padding } }, fitting)
      }),
    )
  return [
    rowOf(
      columns.map(({ head }) => head),
      { bold: true, fixed: true },
    ),
    ...rows.slice(0, maxRows).map((cells) => rowOf(cells)),
    ...(rows.length === 0 && empty !== undefined ? [quiet(empty)] : []),
    ...leftOut(rows.length),
    ...(sum ? [rowOf(sum, { bold: true })] : []),
  ]
}

const labelWidth = 150
const textWidth = 90
const barWidth = paperWidth - labelWidth - textWidth

function barsOf({ bars }: PdfBars): ReactElement[] {
  const greatest = Math.max(1, ...bars.map(({ value }) => value))
  const barOf = ({ label, value, text }: PdfBars['bars'][number]) => {
    const width = value > 0 ? Math.max(0.5, (value / greatest) * barWidth) : 0
    return element(
      View,
      { style: { flexDirection: 'row', alignItems: 'center', paddingVertical: 2 }, wrap: false },
      element(
        Text,
        { style: { width: labelWidth, paddingRight: cellPadding } },
        broken(label, labelWidth - cellPadding),
      ),
      element(
        View,
        { style: { width: barWidth } },
        element(View, { style: { width, height: 8, backgroundColor: ink.bar } }),
      ),
      element(Text, { style: { width: textWidth, textAlign: 'right' } }, broken(fonts.written(text), textWidth)),
    )
  }
  return [...bars.slice(0, maxRows).map(barOf), ...leftOut(bars.length)]
}

const leftOut = (count: number): ReactElement[] =>
  count > maxRows ? [quiet(`${counted(count - maxRows, 'more is', 'more are')} left out.`)] : []
const quiet = (text: string): ReactElement => element(Text, { style: styles.quiet }, fonts.written(text))

const broken = (text: string, width: number, size = fontSize, weight: Weight = 400): string =>
  fonts.fitted(text, width / size, weight)
