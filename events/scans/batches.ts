/* Apart from the events of scans, for the threads of an agent load this and no schemas. */

/**
 * The headers of a batch on `scans.<agentId>.<scanId>.entries`; its message id is `batchMessageId`. `run` is the run of the
 * agent that started the attempt.
 */
export const batchHeaders = { run: 'Scan-Run', attempt: 'Scan-Attempt', batch: 'Scan-Batch' } as const
export const batchMessageId = (scanId: number, attempt: number, batch: number): string =>
  `${scanId}.${attempt}.${batch}`
export const readBatchMessageId = (id: string): { scanId: number; attempt: number; batch: number } | undefined => {
  const [scanId, attempt, batch] = /^(\d{1,15})\.(\d{1,9})\.(\d{1,9})$/.exec(id)?.slice(1).map(Number) ?? []
  return scanId === undefined || attempt === undefined || batch === undefined ? undefined : { scanId, attempt, batch }
}

/**
 * A batch holds at most this many rows, and this many bytes compressed and unpacked. With one row more, its folders and the
 * empty text could be more than indexes of 16 bits can name.
 */
export const batchLimits = { rows: 65_535, packed: 900_000, unpacked: 32 * 1024 * 1024 } as const
