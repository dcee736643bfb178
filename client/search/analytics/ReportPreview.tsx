import { PdfPreview } from '../../parts/pdf-preview/PdfPreview.tsx'
import type { CardChart } from './cardChart.ts'
import { queryFacts } from './report/queryFacts.ts'
import { readReport, type ReportAsked } from './report/readReport.ts'

type ReportPreviewProps = ReportAsked & {
  /** The only one to show; without it, the report of the whole search. */
  chart: CardChart | undefined
  onClose: () => void
}

/** A chart or the whole report as a document. */
export function ReportPreview({ chart, onClose, ...report }: ReportPreviewProps) {
  const { asked, present, volumes } = report
  const day = asked.indexingDate ?? present
  const make = async () => {
    const { chartFile, searchReportFile } = await import('./report/reportFile.tsx')
    if (chart) return chartFile(day, queryFacts(asked.filters, volumes), chart)
    return searchReportFile(await readReport(report))
  }
  const title = chart?.title ?? 'Search Report'
  const fileName = `${title.replaceAll(' ', '')}-${day}.pdf`
  return <PdfPreview title={title} fileName={fileName} make={make} onClose={onClose} />
}
