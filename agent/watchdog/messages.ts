/** Start of the watchdog's thread: `beats` holds a number that the main thread keeps changing. */
export type WatchdogStart = { beats: SharedArrayBuffer; file: string; looksUntilHung: number; lookEveryMs: number }
/** Sent to the thread when a task starts or ends: how often each running task has hung the agent so far, by task ID. */
export type RunningTasks = [taskId: number, hangs: number][]
