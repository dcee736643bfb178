import { Page, Text, View } from '@react-pdf/renderer'
import { type ReactNode, use } from 'react'
import { cardWidth, fitted, paper, shortened, written } from './paper.ts'
import { FontFamily } from './paperFonts.ts'

/** Points of the text at the foot of a page, next to the number of the page. */
const footWidth = 430

/** An A4 page with a footer and page numbers. */
export function PdfPage({ foot, children }: { foot: string; children: ReactNode }) {
  return (
    <Page size="A4" style={[paper.page, { fontFamily: use(FontFamily) }]}>
      {children}
      <View style={paper.footer} fixed>
        <Text>{shortened(foot, footWidth)}</Text>
        <Text render={({ pageNumber, totalPages }) => `Page ${pageNumber} of ${totalPages}`} />
      </View>
    </Page>
  )
}

export function PdfCard({ title, note = '', children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <View style={paper.card} wrap={false}>
      <View style={{ flexDirection: 'row', justifyContent: 'space-between' }}>
        <Text style={paper.cardTitle}>{written(title)}</Text>
        <Text style={{ ...paper.quiet, fontSize: 8 }}>{written(note)}</Text>
      </View>
      {children}
    </View>
  )
}

const nameWidth = 150

/** Names and values. */
export function PdfFacts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return facts.map(([name, value]) => (
    <View key={name} style={{ ...paper.row, alignItems: 'flex-start', paddingVertical: 2 }}>
      <Text style={{ ...paper.quiet, width: nameWidth, paddingRight: 8 }}>{fitted(name, nameWidth - 8)}</Text>
      <Text style={{ flex: 1 }}>{fitted(value, cardWidth - nameWidth)}</Text>
    </View>
  ))
}
