import { z } from 'zod'
import { endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'

/**
 * What a project had on one storage in a month, of one of its storage classes and at prices of one currency; without a price book both are null. Each day counts with
 * the bytes of the newest date up to it and the price of that day: `averageBytes` is over all days of the month so far, and
 * `cost` the sum over the days of bytes / 2^30 × price per GB and year / 12 / days of the month.
 */
export const StatementLine = z.object({
  volumeId: z.int(),
  /** As it was called; 'Invalid' where it was deleted before the month was closed. */
  volumeName: z.string(),
  /** Null of a storage without classes, and in months that were closed before classes were told apart; '' of files without one. */
  storageClass: z.string().nullable(),
  averageBytes: z.number(),
  currencySymbol: z.string().nullable(),
  cost: z.number().nullable(),
})
export type StatementLine = z.infer<typeof StatementLine>

/** What a project comes to in a month. */
const Totals = z.object({
  month: z.string(),
  averageBytes: z.number(),
  costs: z.array(z.object({ currencySymbol: z.string(), cost: z.number() })),
  /** When it was closed: since then it stays as it is, whatever prices become. Null of a month that goes on, or is being closed. */
  closedAt: z.iso.datetime().nullable(),
  /** All dates of the month are counted. */
  isComplete: z.boolean(),
})
export const Statement = Totals.extend({ lines: z.array(StatementLine) })
export type Statement = z.infer<typeof Statement>
export type StatementTotals = z.infer<typeof Totals>

const needs = 'snapshots.see'
/** A month is `yyyy-MM`; any that has no statement is not found. */
const OfMonth = z.object({ id: IdNumber, month: z.string().max(20) })
/** Whom a closed month is mailed to. */
const Recipients = z.object({
  addresses: z
    .array(z.email('must be a well-formed email address').max(255))
    .max(20, 'must be at most 20 addresses')
    .transform((addresses) => [...new Set(addresses)]),
})

export const statements = {
  /** Every month since the project was made, newest first; the first one is the month of today, up to today. */
  list: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statements',
    needs,
    failure: 'Error while fetching the statements',
    params: Id,
    answer: z.array(Totals),
  }),
  find: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statements/:month',
    needs,
    failure: 'Error while fetching the statement',
    params: OfMonth,
    answer: Statement,
  }),
  csv: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statements/:month/csv',
    needs,
    failure: 'Unable to download csv file',
    params: OfMonth,
    download: 'text/csv',
  }),
  xlsx: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statements/:month/xlsx',
    needs,
    failure: 'Unable to download xlsx file',
    params: OfMonth,
    download: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statements/:month/pdf',
    needs,
    failure: 'Unable to download pdf file',
    params: OfMonth,
    download: 'application/pdf',
  }),
  recipients: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/statement-recipients',
    needs: 'projects.edit',
    failure: 'Error while fetching the recipients of statements',
    params: Id,
    answer: Recipients,
  }),
  updateRecipients: endpoint({
    method: 'PUT',
    path: '/v1/projects/:id/statement-recipients',
    needs: 'projects.edit',
    failure: 'Unable to update the recipients of statements',
    params: Id,
    body: Recipients,
  }),
}
