import type { DocumentProps } from '@react-pdf/renderer'
import type { ReactElement } from 'react'
import { FontFamily, paperFonts } from './paperFonts.ts'

/** The document with the fonts that its data needs. Throws if a font can't be loaded. */
export async function withFonts(
  data: unknown,
  document: ReactElement<DocumentProps>,
): Promise<ReactElement<DocumentProps>> {
  const family = await paperFonts.load(JSON.stringify(data))
  return <FontFamily value={family}>{document}</FontFamily>
}
