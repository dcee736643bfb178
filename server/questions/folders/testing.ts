import type { Platform } from '#server/platform/platform.ts'
import { cases } from '#server/platform/testing/cases.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'

const planned = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03']

/** Scans two random disks on some dates. `rowsAt` has the expected rows of a storage on a date. */
export async function testHistory(platform: Platform, random: Random, entries: number) {
  const history = await newHistory(platform, random, { dates: planned.slice(0, cases(2, 4)), disks: 2, entries })
  const rowsAt = (date: string, volumeId: number): Row[] => [
    ...(history.dates
      .get(date)
      ?.find((state) => state.volumeId === volumeId)
      ?.rows.values() ?? []),
  ]
  return { history, dates: [...history.dates.keys()], rowsAt }
}

/** The full path of a row. */
export const pathOf = ({ parentPath, name }: Row): string => parentPath + name

/** Compares the bytes of two texts. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
