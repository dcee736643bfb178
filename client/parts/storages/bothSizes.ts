import type { Project } from '#events/projects/calls.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Sizes of a number of files, in bytes. */
export type FileSizes = { onDisk: number; apparent: number; files: number }

export const volumeSizes = ({
  sizeOfFiles: apparent,
  sizeOnDisk: onDisk = apparent,
  numberOfFiles: files,
}: Pick<DetailedVolume, 'sizeOfFiles' | 'sizeOnDisk' | 'numberOfFiles'>): FileSizes => ({ onDisk, apparent, files })

export const projectSizes = ({
  sizeOfFiles: onDisk,
  apparentSize: apparent = onDisk,
  numberOfFiles: files,
}: Pick<Project, 'sizeOfFiles' | 'apparentSize' | 'numberOfFiles'>): FileSizes => ({ onDisk, apparent, files })

/** File systems allocate whole blocks, usually of this many bytes. */
const blockBytes = 4096
/** Smaller differences aren't shown, as a share of the apparent size. */
const minDifference = 0.01

/** Returns whether both sizes are of interest: the difference is more than the rest of the last block of each file. */
export const areDifferent = ({ onDisk, apparent, files }: FileSizes): boolean => {
  const tolerance = apparent * minDifference
  return onDisk < apparent - tolerance || onDisk > apparent + tolerance + files * blockBytes
}

/** `1.2 TB on disk · 1.5 TB apparent`, or one size if both are nearly the same. */
export const bothSizes = (sizes: FileSizes, base: SizeBase, main: 'onDisk' | 'apparent' = 'apparent'): string =>
  areDifferent(sizes)
    ? `${sizeWords(sizes.onDisk, base)} on disk · ${sizeWords(sizes.apparent, base)} apparent`
    : sizeWords(sizes[main], base)
