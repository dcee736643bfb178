/** Hours between two emails of an alert about the same state, if it has no setting: less than a day, so daily alerts repeat. */
export const defaultRepeatHours = 12

/** Part of the threshold below which an object is clear again, if the alert has no clearing threshold. */
const defaultClearShare = 0.95

/** Percent below which an object counts as clear again. Between the two thresholds its state doesn't change. */
export const clearThresholdOf = ({
  threshold,
  clearThreshold,
}: {
  threshold: number
  clearThreshold?: number | undefined
}): number => clearThreshold ?? Math.round(threshold * defaultClearShare * 10) / 10
