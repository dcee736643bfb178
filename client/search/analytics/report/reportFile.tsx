import { pdf } from '@react-pdf/renderer'
import type { CardChart } from '../cardChart.ts'
import { ChartReport, type Fact, SearchReport, type SearchReportProps } from './SearchReport.tsx'

/** The documents as files. What makes them is large, so this is loaded when one is asked for. */
export const searchReportFile = (report: SearchReportProps): Promise<Blob> => pdf(<SearchReport {...report} />).toBlob()

export const chartFile = (day: string, query: Fact[], chart: CardChart): Promise<Blob> =>
  pdf(<ChartReport day={day} query={query} chart={chart} />).toBlob()
