import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from './snapshotAt.ts'

/** The volumes of a snapshot whose size basis is the apparent size. */
export type WithBasis = Pick<Snapshot, 'apparentVolumes'>

/** Bytes of an entry on disk; those of its content if the space on disk is unknown, 0 if both are. */
const bytesOnDisk = sql`greatest(if(allocated_size < 0, size, allocated_size), 0)`

/** Only the first hard link of a file in its storage has the bytes. */
const once = (bytes: Sql): Sql => sql`if(NOT is_directory AND counted_size < size, 0, ${bytes})`

/** Bytes of an entry on disk; of the hard links of a file in a storage, only the first one has them. */
export const bytesOnDiskOnce = once(bytesOnDisk)

/**
 * Bytes of an entry that costs are for: on disk, or apparent where that is the size basis of its storage. Each hard link has them, and a
 * folder has those of all files below, each once.
 */
export const billedBytes = ({ apparentVolumes }: WithBasis): Sql =>
  apparentVolumes.length === 0 ? bytesOnDisk : sql`if(volume IN ${apparentVolumes}, greatest(size, 0), ${bytesOnDisk})`

/** The same; of the hard links of a file in a storage, only the first one has them. */
export const billedOnce = (snapshot: WithBasis): Sql => once(billedBytes(snapshot))
