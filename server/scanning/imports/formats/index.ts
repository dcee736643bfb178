import type { ImportFormat } from '#events/imports/formats.ts'
import { borg, restic } from './backups.ts'
import { anyCsv, dataintell, diskover, s3Inventory, wiztree } from './csvFormats.ts'
import { du } from './du.ts'
import { find } from './find.ts'
import type { FormatReader } from './format.ts'
import { gufi } from './gufi.ts'
import { gdu, ncdu } from './ncdu.ts'
import { robinhood } from './robinhood.ts'
import { treesize } from './treesize.ts'

/** The reader of each format. */
export const formatReaders: Record<ImportFormat, FormatReader> = {
  ncdu,
  gdu,
  du,
  find,
  treesize,
  wiztree,
  diskover,
  robinhood,
  gufi,
  's3-inventory': s3Inventory,
  restic,
  borg,
  dataintell,
  csv: anyCsv,
}
