/** A delta can't be made. The message is the reason, which follows 'Full scan instead of a delta: '. */
export class FullScanNeeded extends Error {}

/** Reasons for a full scan in place of a delta. */
export const reasons = {
  ofPart: 'only a folder of the storage is scanned',
  noSnapshotKept: 'the snapshots of full scans are not kept (fullScanSnapshotExpiresDays is 0)',
  noEarlierScan: 'there is no earlier scan to compare with',
  moved: 'the host or the path of the storage changed since the last scan',
  baseGone: 'the snapshot of the last scan has expired or was deleted',
  tooOld: "this release of OneFS can't list changes; OneFS 8.2.1 or later can",
  noList: 'the cluster did not create the list of changes',
  tooMany: 'too many changes since the last scan',
  jobTime: 'the cluster did not create the list of changes in time',
  noPath: 'the list of changes has entries without a path',
  noType: 'the list of changes has entries of an unknown type',
  hardLinks: 'files with several hard links changed, and the list of changes does not name all of these',
} as const

export const fullScanNote = (reason: string): string => `Full scan instead of a delta: ${reason}`
