import { importFormats, type ImportOrigin } from '#events/imports/formats.ts'

/** `imported from ncdu; no access times` */
const originText = ({ format, missing }: ImportOrigin): string =>
  `imported from ${importFormats[format]}${missing.length > 0 ? `; no ${missing.join(', ')}` : ''}`

/** Origins of a day, with each text once. */
export const originTexts = (imports: readonly ImportOrigin[] = []): string[] => [...new Set(imports.map(originText))]
