/** Start of the watchdog's thread: `beats` holds a number that the main thread keeps changing. */
export type WatchdogStart = { beats: SharedArrayBuffer; file: string; looksUntilHung: number; lookEveryMs: number }
/** Sent to the thread when a task starts or ends: what to record if the agent hangs now. */
export type Suspected = [taskId: number, hangs: number][]
