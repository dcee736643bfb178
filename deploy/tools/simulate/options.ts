/** Started system: its address and sign-in, by the names under which they are printed. */
export type Simulated = Record<string, string>

export type SimulateOptions = {
  entries: number
  /** Port on 127.0.0.1, or undefined for the system's own. */
  port: number | undefined
  /** Called for each answered request. */
  log: (request: { method: string; path: string; status: number }) => void
}
