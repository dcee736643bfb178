/** Start of the watchdog's thread: `beats` holds a number that the main thread keeps changing. */
export type WatchdogStart = { beats: SharedArrayBuffer; file: string; looksUntilHung: number; lookEveryMs: number }
/** Sent to the thread when a task or request starts or ends: what to record if the agent hangs now. Requests have milliseconds of a date. */
export type Suspected = { tasks: [taskId: number, hangs: number][]; requests: [key: string, hungAt: number][] }
