import { pdf } from '@react-pdf/renderer'
import type { VolumeReportProps } from './readReport.ts'
import { VolumeReport } from './VolumeReport.tsx'

/** PDF file. The PDF library is large, so this file is loaded on demand. */
export const volumeReportFile = (report: VolumeReportProps): Promise<Blob> => pdf(<VolumeReport {...report} />).toBlob()
