import { Document, Text } from '@react-pdf/renderer'
import { PdfCard, PdfFacts, PdfPage } from '#client/ui/charts/pdf/PdfPage.tsx'
import { fittedTitle, paper } from '#client/ui/charts/pdf/paper.ts'
import type { CardChart } from '#client/search/analytics/cardChart.ts'
import { DistributionOnPaper } from '#client/parts/distribution/DistributionOnPaper.tsx'
import type { Fact } from '#client/parts/searched/queryFacts.ts'

export type SearchReportProps = {
  /** Date of the snapshot. */
  day: string
  query: Fact[]
  statistics: Fact[]
  charts: CardChart[]
}

/** Charts per page. */
const onPage = 2

/** Query, totals and charts. */
export function SearchReport({ day, query, statistics, charts }: SearchReportProps) {
  const foot = `Search Report · snapshot ${day}`
  const pages = Array.from({ length: Math.ceil(charts.length / onPage) }, (_, page) =>
    charts.slice(page * onPage, (page + 1) * onPage),
  )
  return (
    <Document title="Search Report" creator="DataIntell" producer="DataIntell" language="en">
      <PdfPage foot={foot}>
        <Text style={paper.title}>Search Report</Text>
        <Text style={paper.subtitle}>Snapshot {day}</Text>
        <PdfCard title="Search Query">
          <PdfFacts facts={query} />
        </PdfCard>
        <PdfCard title="Statistics">
          <PdfFacts facts={statistics} />
        </PdfCard>
      </PdfPage>
      {pages.map((charts) => (
        <PdfPage key={charts[0]?.title} foot={foot}>
          {charts.map((chart) => (
            <DistributionOnPaper key={chart.title} chart={chart} note={chart.note} />
          ))}
        </PdfPage>
      ))}
    </Document>
  )
}

/** A single chart with the query. */
export function ChartReport({ day, query, chart }: { day: string; query: Fact[]; chart: CardChart }) {
  return (
    <Document title={chart.title} creator="DataIntell" producer="DataIntell" language="en">
      <PdfPage foot={`${chart.title} · snapshot ${day}`}>
        <Text style={paper.title}>{fittedTitle(chart.title)}</Text>
        <Text style={paper.subtitle}>Snapshot {day}</Text>
        <PdfCard title="Search Query">
          <PdfFacts facts={query} />
        </PdfCard>
        <DistributionOnPaper chart={chart} note={chart.note} />
      </PdfPage>
    </Document>
  )
}
