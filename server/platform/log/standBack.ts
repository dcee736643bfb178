let isNewerRunning = false

/** True while a server of a newer version runs on the same stores. It follows the log and runs what is due. */
export const standsBack = (): boolean => isNewerRunning

/** Leaves following the log, and what is due, to the servers of a newer version. */
export const standBack = (isNewer: boolean): void => void (isNewerRunning = isNewer)
