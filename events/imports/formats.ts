import { z } from 'zod'

/** Formats of exports of other tools, with the name of each tool. */
export const importFormats = {
  ncdu: 'ncdu',
  gdu: 'gdu',
  du: 'du',
  find: 'find',
  treesize: 'TreeSize',
  wiztree: 'WizTree',
  diskover: 'diskover',
  robinhood: 'Robinhood',
  gufi: 'GUFI',
  's3-inventory': 'S3 Inventory',
  restic: 'restic',
  borg: 'Borg',
  dataintell: 'DataIntell',
  csv: 'CSV',
} as const
export type ImportFormat = keyof typeof importFormats
export const ImportFormat = z.enum(Object.keys(importFormats) as [ImportFormat, ...ImportFormat[]])

/** Origin of a snapshot that is no scan: the format of the export, and the fields that it lacks, as users know them. */
export const ImportOrigin = z.object({ format: ImportFormat, missing: z.array(z.string()) })
export type ImportOrigin = z.infer<typeof ImportOrigin>
