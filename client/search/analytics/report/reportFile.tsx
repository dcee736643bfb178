import { pdf } from '@react-pdf/renderer'
import type { CardChart } from '#client/search/analytics/cardChart.ts'
import { withFonts } from '#client/ui/charts/pdf/withFonts.tsx'
import type { Fact } from '#client/parts/searched/queryFacts.ts'
import { ChartReport, SearchReport, type SearchReportProps } from './SearchReport.tsx'

/** PDF files. The PDF library is large, so this file is loaded on demand. */
export const searchReportFile = async (report: SearchReportProps): Promise<Blob> =>
  pdf(await withFonts(report, <SearchReport {...report} />)).toBlob()

export const chartFile = async (day: string, query: Fact[], chart: CardChart): Promise<Blob> =>
  pdf(await withFonts([query, chart], <ChartReport day={day} query={query} chart={chart} />)).toBlob()
