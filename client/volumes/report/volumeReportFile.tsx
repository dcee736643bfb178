import { pdf } from '@react-pdf/renderer'
import { withFonts } from '#client/ui/charts/pdf/withFonts.tsx'
import type { VolumeReportProps } from './readReport.ts'
import { VolumeReport } from './VolumeReport.tsx'

/** PDF file. The PDF library is large, so this file is loaded on demand. */
export const volumeReportFile = async (report: VolumeReportProps): Promise<Blob> =>
  pdf(await withFonts(report, <VolumeReport {...report} />)).toBlob()
