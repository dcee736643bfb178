import { pdf } from '@react-pdf/renderer'
import type { CardChart } from '#client/search/analytics/cardChart.ts'
import { ChartReport, type Fact, SearchReport, type SearchReportProps } from './SearchReport.tsx'

/** PDF files. The PDF library is large, so this file is loaded on demand. */
export const searchReportFile = (report: SearchReportProps): Promise<Blob> => pdf(<SearchReport {...report} />).toBlob()

export const chartFile = (day: string, query: Fact[], chart: CardChart): Promise<Blob> =>
  pdf(<ChartReport day={day} query={query} chart={chart} />).toBlob()
