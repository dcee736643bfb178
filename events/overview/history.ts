import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { Storages } from '#events/contract/storages.ts'

/** Months without access that the dashboard shows, one figure each. */
export const coldMonths = [3, 6, 9] as const

/** The figures of the dashboard on a date. Bytes, except for `files`; null if unknown. */
export const FiguresAtDate = z.object({
  indexingDate: z.string(),
  used: z.number().nullable(),
  files: z.number(),
  /** Null on dates whose copies were not counted. */
  duplicates: z.number().nullable(),
  /** Files without access for each of `coldMonths`, in that order. */
  cold: z.array(z.number().nullable()).length(coldMonths.length),
})
export type FiguresAtDate = z.infer<typeof FiguresAtDate>

/** Maximum number of dates of a line. */
export const maxHistoryDates = 8

/**
 * The figures over a period, oldest first: that of its first snapshot, those of a few in between, and the newest. Only storages that
 * the first and the last date show are counted, so that an added storage is no growth. Empty if there is only one date, and if
 * the caller sees one of them only in part.
 */
export const figureHistory = endpoint({
  method: 'GET',
  path: '/v1/dashboard/history',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the changes of the figures',
  query: z.intersection(AtDate.extend({ days: writtenInt(1, 366).default(30) }), Storages),
  answer: z.array(FiguresAtDate),
})
