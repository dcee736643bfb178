import { z } from 'zod'
import { EmailAddresses } from '#events/contract/names.ts'
import { endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'

/**
 * Monthly cost of a project on one storage, for one storage class and one currency; without a price book, price and
 * cost are null. Every day uses the bytes of the newest date up to it and the price of that day. `averageBytes` is the
 * average over the days of the month so far; `cost` is the sum over the days of bytes / 2^30 × price per GB and year /
 * 12 / days of the month.
 */
export const StatementLine = z.object({
  volumeId: z.int(),
  /** Name of the storage, with the day of its deletion if that was before the month was closed: `Films (removed on 2026-11-29)`. */
  volumeName: z.string(),
  /**
   * Null for storages without classes, and for months closed before classes were recorded; '' for files without a
   * class.
   */
  storageClass: z.string().nullable(),
  averageBytes: z.number(),
  currencySymbol: z.string().nullable(),
  cost: z.number().nullable(),
})
export type StatementLine = z.infer<typeof StatementLine>

/** Totals of a project for a month. */
const Totals = z.object({
  month: z.string(),
  /** Last day that is charged, `yyyy-MM-dd`: today in the current month. */
  lastDay: z.iso.date(),
  /**
   * Days up to `lastDay` that count as zero, because the project wasn't created yet or no snapshot has its folders. Null
   * for months closed before this was recorded.
   */
  daysWithoutData: z.int().nullable(),
  averageBytes: z.number(),
  costs: z.array(z.object({ currencySymbol: z.string(), cost: z.number() })),
  /**
   * Time when the month was closed; later price changes don't affect it. Null while the month is open or being closed.
   */
  closedAt: z.iso.datetime().nullable(),
  /** True if all dates of the month are counted. */
  isComplete: z.boolean(),
})
export const Statement = Totals.extend({ lines: z.array(StatementLine) })
export type Statement = z.infer<typeof Statement>
export type StatementTotals = z.infer<typeof Totals>

const read = { method: 'GET', needs: 'snapshots.see', limitedBy: 'projects' } as const
/** A month as `yyyy-MM`. Months without a statement are a 404. */
const OfMonth = z.object({ id: IdNumber, month: z.string().max(20) })
/** A month as `yyyy-MM` in which a project exists; others are a 404. */
const Month = OfMonth.pick({ month: true })
/** Recipients of the email with a closed month. */
const Recipients = z.object({ addresses: EmailAddresses })

export const statements = {
  /**
   * Months since the project was created, newest first. The first one is the current month, up to today. A deleted project has its closed
   * months, the last one up to the day before the deletion.
   * Users with limits get the closed months in which the project had only folders that they see.
   */
  list: endpoint({
    ...read,
    path: '/v1/projects/:id/statements',
    failure: 'Error while fetching the statements',
    params: Id,
    answer: z.array(Totals),
  }),
  find: endpoint({
    ...read,
    path: '/v1/projects/:id/statements/:month',
    failure: 'Error while fetching the statement',
    params: OfMonth,
    answer: Statement,
  }),
  csv: endpoint({
    ...read,
    path: '/v1/projects/:id/statements/:month/csv',
    failure: 'Unable to download csv file',
    params: OfMonth,
    download: 'text/csv',
  }),
  xlsx: endpoint({
    ...read,
    path: '/v1/projects/:id/statements/:month/xlsx',
    failure: 'Unable to download xlsx file',
    params: OfMonth,
    download: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  pdf: endpoint({
    ...read,
    path: '/v1/projects/:id/statements/:month/pdf',
    failure: 'Unable to download pdf file',
    params: OfMonth,
    download: 'application/pdf',
  }),
  /** Months for which there are statements of any project, newest first. */
  months: endpoint({
    ...read,
    path: '/v1/project-statements',
    failure: 'Error while fetching the months with statements',
    answer: z.array(z.string()),
  }),
  /** The statements of all projects for a month in one file, also of deleted ones. */
  allAsCsv: endpoint({
    ...read,
    path: '/v1/project-statements/:month/csv',
    failure: 'Unable to download csv file',
    params: Month,
    download: 'text/csv',
  }),
  allAsXlsx: endpoint({
    ...read,
    path: '/v1/project-statements/:month/xlsx',
    failure: 'Unable to download xlsx file',
    params: Month,
    download: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  recipients: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statement-recipients',
    needs: 'projects.manage',
    limitedBy: 'projects',
    failure: 'Error while fetching the recipients of statements',
    params: Id,
    answer: Recipients,
  }),
  updateRecipients: endpoint({
    method: 'PUT',
    path: '/v1/projects/:id/statement-recipients',
    needs: 'projects.manage',
    limitedBy: 'projects',
    failure: 'Unable to update the recipients of statements',
    params: Id,
    body: Recipients,
  }),
}
