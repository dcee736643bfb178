import { Page, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { paper, written } from './paper.ts'

/** An A4 page with a footer and page numbers. */
export function PdfPage({ foot, children }: { foot: string; children: ReactNode }) {
  return (
    <Page size="A4" style={paper.page}>
      {children}
      <View style={paper.footer} fixed>
        <Text>{written(foot)}</Text>
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

/** Names and values. */
export function PdfFacts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return facts.map(([name, value]) => (
    <View key={name} style={{ ...paper.row, alignItems: 'flex-start', paddingVertical: 2 }}>
      <Text style={{ ...paper.quiet, width: 150 }}>{written(name)}</Text>
      <Text style={{ flex: 1 }}>{written(value)}</Text>
    </View>
  ))
}
