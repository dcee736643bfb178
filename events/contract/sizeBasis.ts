import { z } from 'zod'

/**
 * Sizes of a storage that count for costs and for the used part of a project: the space that files take on disk, or their apparent
 * size. In both a hard-linked file counts once.
 */
export const SizeBasis = z.enum(['onDisk', 'apparent'])
export type SizeBasis = z.infer<typeof SizeBasis>

/** Bytes that costs are for, by the size basis of the storage; left out where they equal the apparent size. */
export const BilledSize = z.number().optional()

/** Sizes in addition to `sizeOfFiles`, the apparent size of all files; left out where they equal it. Hard links count once. Bytes. */
export const OtherSizes = z.object({ sizeOnDisk: z.number().optional(), billedSize: BilledSize })

/** Bytes of the content of files, next to a size by the size basis; left out where they equal it. */
export const ApparentSize = z.number().optional()
